// The page around the chat, where a lecture is played (`player.js`): it tells where the student is, and opens references
// in its player. Only origins that the gateway names in `#players` are listened to, and only the page around us.
const EVERY_MS = 5000; // while it plays; a pause or a jump is passed on at once
const ANSWER_MS = 1000; // then a reference opens beside the conversation, as without a player
const CALLS_MS = [0, 1000, 3000, 7000, 15000]; // the script around us may be there later than we

const players = () => document.getElementById("players")?.dataset ?? {};
const openings = new Map();
let origin = null;
let place = null;
let passedOn = "";
let timer = 0;

const nameOf = (one) => JSON.stringify([one.course, one.lecture, one.second]);

// Where the student is, to go with a question; `null` where no player told.
const take = () => {
  clearTimeout(timer);
  timer = 0;
  if (place) passedOn = nameOf(place);
  return place;
};

const passOn = () => {
  timer = 0;
  if (place && nameOf(place) !== passedOn) emitEvent("coteach", { act: "position", at: take() });
};

const heard = (told) => {
  const isPlace = typeof told.lecture === "string" && told.lecture.length <= 300 && Number.isFinite(told.second);
  if (!isPlace || told.course !== players().course) return;
  place = { course: told.course, lecture: told.lecture, second: Math.max(Math.floor(told.second), 0) };
  if (told.isSettled === true) passOn();
  else timer ||= setTimeout(passOn, EVERY_MS);
};

// Whether the player around us opened a link to a lecture.
const open = (link) => {
  const to = new URL(link.href);
  const [, course, lecture] = to.pathname.match(/^\/courses\/([^/]+)\/videos\/([^/]+)$/) ?? [];
  const isTimed = !to.searchParams.has("paragraph"); // a transcript without times says nothing of where it is played
  if (origin === null || !lecture || !isTimed || to.origin !== location.origin) return Promise.resolve(false);
  const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const asked = { course: decodeURIComponent(course), lecture: decodeURIComponent(lecture) };
  parent.postMessage({ type: "coteach.open", id, ...asked, second: Number(to.searchParams.get("t")) || 0 }, origin);
  return new Promise((done) => {
    openings.set(id, done);
    setTimeout(() => done(false), ANSWER_MS);
  }).finally(() => openings.delete(id));
};

addEventListener("message", (event) => {
  const listed = (players().origins ?? "").split(" ").filter(Boolean);
  if (event.source !== parent || parent === window || !listed.includes(event.origin)) return;
  const told = event.data ?? {};
  if (told.type === "coteach.position") {
    origin = event.origin;
    heard(told);
  } else if (told.type === "coteach.opened") openings.get(told.id)?.(told.isOpen === true);
});

// To whoever is around us: it names nothing, and what comes back is looked at.
for (const wait of parent === window ? [] : CALLS_MS) {
  setTimeout(() => origin ?? parent.postMessage({ type: "coteach.ready" }, "*"), wait);
}

globalThis.coteachPlace = { open, take };
