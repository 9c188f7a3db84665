// What every page needs before it is drawn: its language, its colours, and words for a lost connection.
// Language and colours are cookies of one year; the server reads them and keeps nothing.
(() => {
  // A browser that blocks other sites' storage throws at the mention of it in a frame of an LMS, in NiceGUI's scripts too:
  // a page gets storage of its own then, which ends with it.
  for (const name of ["sessionStorage", "localStorage"]) {
    try {
      void window[name].length;
    } catch {
      const kept = Object.create({
        getItem(key) { return Object.hasOwn(this, key) ? this[key] : null; },
        setItem(key, value) { this[key] = String(value); },
        removeItem(key) { delete this[key]; },
      });
      Object.defineProperty(window, name, { value: kept, configurable: true });
    }
  }

  const told = document.currentScript.dataset;
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  // In a frame of an LMS a browser keeps none but a cookie that is made for frames.
  const attributes = window.top === window ? "samesite=lax" : "samesite=none;secure;partitioned";
  const keep = (name, value) => {
    document.cookie = `${name}=${value};path=/;max-age=31536000;${attributes}`;
  };

  const paint = (theme) => {
    root.dataset.choice = theme;
    root.dataset.theme = theme === "auto" ? (system.matches ? "dark" : "light") : theme;
    if (typeof darkSetter !== "undefined" && darkSetter) setDark(theme === "auto" ? null : theme === "dark");
  };

  root.lang = told.lang;
  paint(told.theme);
  system.addEventListener("change", () => root.dataset.choice === "auto" && paint("auto"));

  addEventListener("load", () => {
    paint(root.dataset.choice); // again: now there is something of Quasar's to paint
    const popup = document.querySelectorAll("#popup span");
    if (popup.length === 2) [popup[0].textContent, popup[1].textContent] = [told.lost, told.again];
  });

  addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-set-theme], [data-set-lang], [data-show]");
    if (button?.dataset.setTheme) {
      keep("coteach_theme", button.dataset.next);
      paint(button.dataset.next);
      document.querySelector(`[data-set-theme="${button.dataset.next}"]`)?.focus();
    } else if (button?.dataset.setLang) {
      keep("coteach_lang", button.dataset.setLang);
      location.reload();
    } else if (button?.dataset.show) {
      const field = document.getElementById(button.dataset.show);
      field.type = field.type === "password" ? "text" : "password";
    }
    for (const open of document.querySelectorAll("details.drop[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
  });

  // A list that is drawn anew after a press takes the button with it that had the focus: who uses keys alone would begin at
  // the top of the page again. The focus goes to what is called the same, else to what stands in its place now.
  const STOPS = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex='0']";
  const stops = () => [...document.querySelectorAll(STOPS)].filter((one) => one.checkVisibility() && !one.closest("[inert]"));
  const called = (one) => one.id || one.getAttribute("aria-label") || one.textContent.trim();
  let held = null;
  const hold = () => {
    const element = document.activeElement;
    const place = stops().indexOf(element);
    held = place < 0 ? null : { element, place, name: called(element) };
  };
  const giveBack = () => {
    if (!held || held.element.isConnected || document.activeElement !== document.body) return;
    const all = stops();
    const near = (one) => Math.abs(all.indexOf(one) - held.place);
    const same = all.filter((one) => held.name && called(one) === held.name).sort((one, other) => near(one) - near(other))[0];
    (same ?? all[Math.min(held.place, all.length - 1)])?.focus();
  };
  addEventListener("focusin", hold);
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => requestAnimationFrame(giveBack)).observe(document.body, { childList: true, subtree: true });
  });

  // Said before anything is sent: an upload of minutes that is refused at its end helps nobody.
  addEventListener("change", ({ target }) => {
    if (!target.dataset?.most) return;
    const size = [...target.files].reduce((sum, file) => sum + file.size, 0);
    target.setCustomValidity(size > Number(target.dataset.most) ? target.dataset.over : "");
    target.reportValidity();
  });

  addEventListener("keydown", (event) => {
    const open = document.querySelector("details.drop[open]");
    if (event.key !== "Escape" || !open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
})();
