// The official JavaScript SDK: chat completions and responses, whole and streamed, and the published answer object.
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";

const client = new OpenAI(); // OPENAI_BASE_URL and OPENAI_API_KEY
const model = process.env.COTEACH_MODEL ?? "coteach:data-structures";
const question = process.env.COTEACH_QUESTION ?? "What is a stack?";
const messages = [{ role: "user", content: question }];

const AnswerObject = z.object({
  answer: z.string(),
  sentences: z.array(z.object({ text: z.string(), citations: z.array(z.int()) })),
  references: z.array(
    z.object({ number: z.int(), label: z.string(), source: z.string(), url: z.string().nullable() }),
  ),
  route: z.enum(["direct", "teach", "chat", "explain", "clarify", "refuse", "ask_ta"]),
  kind: z.string().nullable(),
  coverage: z.enum(["full", "partial", "none"]).nullable(),
  path: z.array(z.string()),
});

const cited = (noted) => noted.map((one) => one.url_citation ?? one).map(({ title, url }) => ({ title, url }));

const chat = await client.chat.completions.create({ model, messages });
const streamed = await client.chat.completions.stream({ model, messages }).finalChatCompletion();
const response = await client.responses.stream({ model, input: question }).finalResponse();
const response_format = zodResponseFormat(AnswerObject, "coteach_answer");
const typed = await client.chat.completions.parse({ model, messages, response_format });

const told = {
  text: chat.choices[0].message.content,
  citations: cited(chat.choices[0].message.annotations),
  streamed: cited(streamed.choices[0].message.annotations),
  responses: cited(response.output[0].content[0].annotations),
  typed: typed.choices[0].message.parsed.references.map(({ label, url }) => ({ title: label, url })),
};
console.log(JSON.stringify(told));
