export type Control = HTMLInputElement | HTMLSelectElement;

/** Whether a field says that something is wrong with it, to the eye and to the ear. */
export function mark(control: Control, isWrong: boolean, message?: string): void {
  const own = `${control.id}-error`;
  const line = document.getElementById(own);
  control.toggleAttribute("aria-invalid", isWrong);
  if (isWrong) control.setAttribute("aria-invalid", "true");
  if (line) {
    line.hidden = !isWrong;
    if (message) line.textContent = message;
  }
  const described = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== own);
  if (isWrong) described.push(own);
  if (described.length > 0) control.setAttribute("aria-describedby", described.join(" "));
  else control.removeAttribute("aria-describedby");
}
