// What the chat page does in the browser: keys, the draft, forms, panels. What is pressed goes to the page as one event
// `coteach`; the page answers by the functions of `coteachChat`.
import DOMPurify from "dompurify";

// NiceGUI cleans an answer's markup once more with this. Our icons are `use` elements, our links may open a new tab.
DOMPurify.setConfig({ ADD_TAGS: ["use"], ADD_ATTR: ["target"] });

const DRAFT = "coteach-draft";
const byId = (id) => document.getElementById(id);
const input = () => byId("ask");
// A connection that is still being made is not lost: NiceGUI holds what is sent until it stands.
const isLost = () => !navigator.onLine || (window.did_handshake && !window.socket.connected);
const send = (what) => emitEvent("coteach", what);
const isWriting = () => document.body.classList.contains("is-writing");
const isNear = () => innerHeight + scrollY > document.documentElement.scrollHeight - 160;

// To the end of the last turn, but never so far that its question leaves the window: an answer is read from its beginning.
const follow = (behavior) => {
  const turn = [...document.querySelectorAll(".turn")].at(-1);
  const edge = document.querySelector("header.top").offsetHeight + 8;
  const top = turn ? turn.getBoundingClientRect().top + scrollY - edge : Infinity;
  scrollTo({ top: Math.min(document.documentElement.scrollHeight - innerHeight, top), behavior });
};

const tell = (text) => { byId("told").textContent = text; };

const fit = () => {
  const area = input();
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight, innerHeight * 0.4)}px`;
  byId("send").disabled = !area.value.trim();
  sessionStorage.setItem(DRAFT, area.value);
};

const write = (text) => { input().value = text; fit(); };

const ask = (text) => {
  const { offline, long, most } = byId("composer").dataset;
  if (!text.trim() || isWriting()) return;
  if (isLost()) return tell(offline);
  if (text.trim().length > Number(most)) return tell(long);
  tell("");
  document.body.classList.add("is-writing");
  send({ act: "ask", text, at: globalThis.coteachPlace?.take() ?? null });
};

const stop = () => isWriting() && send({ act: "stop" });

// The panel

let opener = null;

const openPanel = (link) => {
  const panel = byId("panel");
  opener = link;
  byId("panel-title").textContent = link.dataset.panel;
  byId("panel-tab").href = link.href;
  const frame = byId("panel-frame");
  frame.onload = () => { // a page in a frame takes neither its own first scroll nor our keys
    frame.contentDocument?.getElementById("now")?.scrollIntoView({ block: "center" });
    frame.contentDocument?.addEventListener("keydown", (event) => event.key === "Escape" && panel.close());
  };
  frame.src = link.href;
  panel.showModal();
};

const closed = (dialog) => {
  if (dialog.id === "panel") byId("panel-frame").removeAttribute("src");
  opener?.focus?.();
  opener = null;
};

const showSide = (isShown) => { // what lies under it is out of the reach of keys meanwhile
  document.querySelector(".side")?.classList.toggle("shown", isShown);
  document.body.classList.toggle("side-shown", isShown);
  for (const under of document.querySelectorAll("header.top, .talk")) under.inert = isShown;
  if (isShown) focusOnceSeen(".side.shown a");
  else byId("show-side")?.focus();
};

// What was hidden takes no focus before it is drawn, which takes a busy machine a while.
const focusOnceSeen = (what, frames = 120) => {
  const one = document.querySelector(what);
  one?.focus();
  if (frames && !(one && document.activeElement === one)) requestAnimationFrame(() => focusOnceSeen(what, frames - 1));
};

// Tools of an answer

const turnOf = (node) => node.closest("[data-turn]")?.dataset.turn ?? "";
const toolsOf = (turn) => document.querySelector(`.tools[data-turn="${CSS.escape(turn)}"]`);
const formsOf = (turn) => document.querySelector(`.forms[data-turn="${CSS.escape(turn)}"]`);
const hideForms = (turn) => formsOf(turn)?.querySelectorAll("form").forEach((form) => { form.hidden = true; });
const formOf = (turn, act, value) =>
  formsOf(turn)?.querySelector(`form[data-act="${act}"]${value ? `[data-value="${value}"]` : ""}`);

let formOpener = null;

const leaveForm = (turn) => {
  hideForms(turn);
  (formOpener?.isConnected ? formOpener : toolsOf(turn)?.querySelector("button"))?.focus();
};

const showForm = (turn, act, value) => {
  const form = formOf(turn, act, value);
  const wasHidden = form?.hidden;
  hideForms(turn);
  formOpener = document.activeElement;
  if (form && wasHidden) {
    form.hidden = false;
    form.querySelector("input, textarea")?.focus();
    form.scrollIntoView({ block: "nearest" });
  }
};

const acts = {
  thumb(button, turn) {
    const isTaken = button.getAttribute("aria-pressed") === "true";
    toolsOf(turn).querySelectorAll("[aria-pressed]").forEach((one) => one.setAttribute("aria-pressed", "false"));
    hideForms(turn);
    if (!isTaken) {
      button.setAttribute("aria-pressed", "true");
      showForm(turn, "reasons", button.dataset.value);
    }
    send({ act: "thumb", turn, value: isTaken ? "0" : button.dataset.value });
  },
  "open-ta": (button, turn) => showForm(turn, "ask-ta"),
  cancel: (button, turn) => leaveForm(turn),
  retry: (button) => ask(button.closest(".turn").querySelector(".question").textContent),
  stop,
  async copy(button) {
    const text = [...button.closest(".turn").querySelectorAll(".answer .prose")].map((one) => one.innerText).join("\n\n");
    await navigator.clipboard?.writeText(text);
    coteachChat.saved(turnOf(button), button.dataset.done);
  },
};

addEventListener("click", (event) => {
  const at = (selector) => event.target.closest?.(selector);
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const link = at("a[data-panel], .prose a[href^='/']");
  if (link && isPlain) {
    event.preventDefault();
    link.dataset.panel ??= link.textContent;
    const elsewhere = globalThis.coteachPlace?.open(link);
    return elsewhere ? elsewhere.then((isOpen) => isOpen || openPanel(link)) : openPanel(link);
  }
  const cite = at("a.cite");
  if (cite) {
    event.preventDefault();
    const card = byId(cite.getAttribute("href").slice(1));
    card?.scrollIntoView({ block: "center", behavior: "smooth" });
    card?.focus({ preventScroll: true });
    card?.classList.add("flash");
    return setTimeout(() => card?.classList.remove("flash"), 1600);
  }
  const button = at("button");
  if (button?.dataset.act) return acts[button.dataset.act]?.(button, turnOf(button));
  if (button && "ask" in button.dataset) return ask(button.textContent);
  if (button && "side" in button.dataset) return showSide(!document.body.classList.contains("side-shown"));
  if (button?.dataset.forget) {
    opener = button;
    byId("forget").dataset.session = button.dataset.forget;
    return byId("forget").showModal();
  }
  if (button && "forgetNow" in button.dataset) {
    send({ act: "forget", session: byId("forget").dataset.session });
    return byId("forget").close();
  }
  if (button && "close" in button.dataset) return button.closest("dialog").close();
  if (event.target.matches?.("dialog")) return event.target.close(); // beside it
  if (document.body.classList.contains("side-shown") && !at(".side")) showSide(false);
});

addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id === "composer") {
    event.preventDefault();
    return ask(input().value);
  }
  if (!form.dataset.act) return;
  event.preventDefault();
  const turn = turnOf(form);
  const data = new FormData(form);
  if (form.dataset.act === "ask-ta") send({ act: "ask-ta", turn, note: data.get("note") });
  else send({
    act: "thumb", turn, value: form.dataset.value, reasons: data.getAll("reasons"), comment: data.get("comment"),
  });
  leaveForm(turn);
});

addEventListener("change", (event) => {
  const field = event.target;
  if (!field.dataset?.change) return;
  if (field.dataset.change === "course") {
    document.cookie = `coteach_course=${encodeURIComponent(field.value)};path=/;max-age=31536000;samesite=lax`;
  }
  send({ act: field.dataset.change, value: field.value });
});

addEventListener("input", (event) => event.target === input() && fit());
addEventListener("close", (event) => closed(event.target), true);

addEventListener("keydown", (event) => {
  const isField = event.target.matches?.("input, textarea, select");
  if (event.target === input() && event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
    event.preventDefault();
    return ask(input().value);
  }
  if (event.key === "/" && !isField && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    return input().focus();
  }
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  if (document.body.classList.contains("side-shown")) return showSide(false);
  const form = event.target.closest?.("form[data-act]");
  if (form) return acts.cancel(form, turnOf(form));
  stop();
});

// What the page calls

globalThis.coteachChat = {
  begun() {
    write("");
    document.body.classList.add("is-writing");
    requestAnimationFrame(() => follow("smooth"));
  },
  done() {
    document.body.classList.remove("is-writing");
    const answers = document.querySelectorAll(".turn .answer");
    byId("spoken").textContent = answers[answers.length - 1]?.innerText ?? "";
    if (matchMedia("(hover: hover)").matches && document.activeElement === document.body) input().focus();
  },
  giveBack(text) { if (!input().value) write(text); },
  session(id) { // where in a lecture the student is stays in the address
    const named = new URLSearchParams(location.search);
    const kept = ["lecture", "second"].flatMap((name) => (named.has(name) ? [[name, named.get(name)]] : []));
    history.replaceState(null, "", `/?${new URLSearchParams([["session", id], ...kept])}`);
  },
  saved(turn, text) {
    const told = toolsOf(turn)?.querySelector(".told");
    if (!told) return;
    told.textContent = text;
    setTimeout(() => { if (told.textContent === text) told.textContent = ""; }, 6000);
  },
  sentToTas(turn) { toolsOf(turn)?.querySelector('[data-act="open-ta"]')?.remove(); },
  failed(turn, text) {
    document.body.classList.remove("is-writing");
    if (turn) this.saved(turn, text);
    else tell(text);
  },
};

// The page is drawn by Vue after this script has run.
const begin = () => {
  if (!input()) return requestAnimationFrame(begin);
  write(sessionStorage.getItem(DRAFT) ?? "");
  if (matchMedia("(hover: hover)").matches && !location.hash) input().focus();
  new ResizeObserver(([box]) => { // how much of the window it covers
    document.documentElement.style.setProperty("--below", `${box.target.offsetHeight}px`);
  }).observe(document.querySelector(".composer-box"));
  const thread = byId("thread");
  let isFollowing = false;
  addEventListener("scroll", () => { isFollowing = isNear(); }, { passive: true });
  new MutationObserver(() => {
    if (isWriting() && isFollowing) follow("instant");
  }).observe(thread, { childList: true, subtree: true, characterData: true });
  if (location.hash) byId(location.hash.slice(1))?.scrollIntoView();
  else if (thread.querySelector(".turn")) scrollTo(0, document.documentElement.scrollHeight);
};
begin();
