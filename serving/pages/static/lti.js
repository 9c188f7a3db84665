// What the pages of LTI do by themselves: send a choice back to the LMS, and tell it that a registration is done.
for (const form of document.querySelectorAll("form[data-send]")) form.submit();
if (document.querySelector("[data-registered]")) {
  (window.opener ?? window.parent).postMessage({ subject: "org.imsglobal.lti.close" }, "*"); // names nothing
}
