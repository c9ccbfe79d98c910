/** Creates elements. Text always becomes a text node, and is never parsed as HTML. */

type Value = string | number | boolean | null
type Attributes = Record<string, Value>
/** What an element can contain; null: nothing. */
export type Child = Node | string | null

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child) => child !== null))
  return element
}

/** Creates an HTML element. Attributes that are null or false are left out. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children)
}

/** Creates an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

/** Creates text for screen readers only. */
export function spoken(text: string): HTMLElement {
  return html('span', { class: 'spoken' }, text)
}

/** Creates a section with its heading. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  const heading = html('h2', { id: `${id}-title` }, title)
  return html('section', { id, class: id, 'aria-labelledby': `${id}-title` }, heading, ...children)
}
