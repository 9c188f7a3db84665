// Every kind of reply and event of both protocols, as the official JavaScript client gives them on.
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";

const client = new OpenAI({ maxRetries: 0 });
const model = process.env.COTEACH_MODEL;
const input = "What is a stack?";
const messages = [{ role: "user", content: input }];
const form = zodResponseFormat(z.object({ term: z.string() }), "term");

const all = async (stream) => {
  const found = [];
  for await (const one of stream) found.push(one);
  return found;
};
const refused = async (asked) => {
  try {
    await asked;
  } catch (error) {
    return { name: error.constructor.name, status: error.status, code: error.code, param: error.param };
  }
};

const chat = (more) => client.chat.completions.create({ model, messages, ...more });
const respond = (more) => client.responses.create({ model, input, ...more });

const first = await respond();
const told = {
  chat: [await chat(), await chat({ max_tokens: 5 }), await chat({ store: false, n: 1, temperature: 0 })],
  chunks: [
    ...(await all(await chat({ stream: true }))),
    ...(await all(await chat({ stream: true, stream_options: { include_usage: true }, max_tokens: 5 }))),
  ],
  responses: [
    first,
    await respond({ previous_response_id: first.id, instructions: "Be short." }),
    await respond({ max_output_tokens: 5, store: false, metadata: { footnotes: "never" } }),
    await client.responses.retrieve(first.id),
  ],
  events: [
    ...(await all(await respond({ stream: true }))),
    ...(await all(await respond({ stream: true, max_output_tokens: 5 }))),
  ],
};
const deleted = await client.responses.delete(first.id);
const errors = [
  await refused(client.responses.retrieve(first.id)),
  await refused(respond({ previous_response_id: first.id })),
  await refused(chat({ seed: "x" })),
  await refused(chat({ logprobs: true })),
  await refused(chat({ response_format: form })),
  await refused(respond({ model: "gpt-4o" })),
];
console.log(JSON.stringify({ told, errors, deleted: deleted?.deleted ?? null }));
