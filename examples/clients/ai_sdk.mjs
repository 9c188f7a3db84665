// Vercel's AI SDK, by the Responses API: annotations are its `sources`, streamed too.
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, streamText } from "ai";

const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: process.env.OPENAI_API_KEY });
const model = openai.responses(process.env.COTEACH_MODEL ?? "coteach:data-structures");
const prompt = process.env.COTEACH_QUESTION ?? "What is a stack?";
const cited = (sources) => sources.map(({ title, url }) => ({ title, url }));

const answer = await generateText({ model, prompt });
const streaming = streamText({ model, prompt });
await streaming.consumeStream();
const told = { text: answer.text, citations: cited(answer.sources), streamed: cited(await streaming.sources) };
console.log(JSON.stringify(told));
