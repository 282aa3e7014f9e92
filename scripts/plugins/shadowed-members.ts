// A form has its fields as members under their names, and a document its images and forms: a field named `matches` or `parentElement` stands
// where code expects the member of every element, in isolated worlds too. So code that runs in pages takes these members from the prototype.

import { type AnyNode, type MemberExpression, parse } from 'acorn'

/** The source with each access to a member that a page can shadow replaced by one that it cannot. It is a script, or the body of a function. */
export const readSafely = (source: string): string => rewrite(source, (name) => `$E(${name})`, HELPERS)

/** The same for a script that stays in a page: the members are read as they are until its function `lookForShadows` has found that a form
 * shadows one. It is called before each use of the script; without that, every member counts as shadowed. */
export const readSafelyOnceShadowed = (source: string): string =>
  rewrite(source, (name) => `($S?$E(${name}):${name})`, `${HELPERS}${LOOK_FOR_SHADOWS}`)

// --- internal ---

function rewrite(source: string, wrapName: (name: string) => string, helpers: string): string {
  const tree = parse(source, { ecmaVersion: 'latest', allowReturnOutsideFunction: true })
  const edits = membersIn(tree).flatMap(editsOf(source, wrapName))
  if (edits.length === 0) return source
  const inserted = edits
    .sort((a, b) => b.at - a.at || (a.end ?? 0) - (b.end ?? 0))
    .reduce((text, { at, insert }) => text.slice(0, at) + insert + text.slice(at), source)
  return helpers + inserted
}

// Of two that begin at one place, the one that ends later is around the other.
interface Insertion {
  readonly at: number
  readonly insert: string
  readonly end?: number
}

// In a worker there are no elements. What a proxy returns is never kept, so that no other code meets one.
const HELPERS = `var $F=globalThis.HTMLFormElement||function(){},$D=globalThis.Document,$R=globalThis.Reflect,$H={get(t,k){const v=$R.get($R.getPrototypeOf(t),k,t);return typeof v==="function"?(...a)=>$R.apply(v,t,a):v},set:(t,k,v)=>$R.set($R.getPrototypeOf(t),k,v,t)},$E=x=>x instanceof $F?new Proxy(x,$H):x,$O=x=>$D&&x instanceof $D?new Proxy(x,$H):x;`

// Those of elements that code in pages reads or writes, and those of fields, which a form does not have.
const ELEMENT_MEMBERS = new Set(
  `accessKey action addEventListener after animate append appendChild assignedSlot attachShadow attributes autocomplete before blur
  checkValidity checkVisibility checked childElementCount childNodes children classList className click clientHeight clientLeft clientTop
  clientWidth cloneNode closest compareDocumentPosition contains contentEditable control currentCSSZoom dataset dir disabled dispatchEvent
  draggable editContext elements firstChild firstElementChild focus getAnimations getAttribute getAttributeNS getAttributeNames
  getAttributeNode getBoundingClientRect getClientRects getElementsByClassName getElementsByTagName getRootNode hasAttribute
  hasAttributes hasChildNodes hidden href id indeterminate inert innerHTML innerText insertBefore isConnected isContentEditable
  labels lang lastChild lastElementChild localName matches method multiple name namespaceURI nextElementSibling nextSibling nodeName
  nodeType nodeValue noValidate offsetHeight offsetLeft offsetParent offsetTop offsetWidth options outerHTML ownerDocument parentElement
  parentNode part placeholder popover prefix prepend previousElementSibling previousSibling querySelector querySelectorAll readOnly remove
  removeAttribute removeChild removeEventListener replaceChild replaceChildren replaceWith reportValidity requestSubmit required reset
  role scroll scrollBy scrollHeight scrollIntoView scrollIntoViewIfNeeded scrollLeft scrollTo scrollTop scrollWidth setAttribute
  setCustomValidity shadowRoot slot spellcheck src style submit tabIndex tagName target textContent title toggleAttribute type validity
  contentWindow value`.split(/\s+/),
)

const LOOK_FOR_SHADOWS = `var $S=true,$N=new Set(${JSON.stringify([...ELEMENT_MEMBERS])}),lookForShadows=()=>{$S=false;for(const form of $O(document).forms)for(const {name,id} of $H.get(form,"elements"))if($N.has(name)||$N.has(id)){$S=true;return}};`

const DOCUMENT_MEMBERS = new Set(
  `activeElement addEventListener adoptedStyleSheets body childNodes children contains contentType cookie createElement createRange
  createTextNode createTreeWalker defaultView designMode dispatchEvent doctype documentElement elementFromPoint elementsFromPoint evaluate
  execCommand exitFullscreen fonts forms fullscreenElement getAnimations getElementById getElementsByClassName getElementsByName
  getElementsByTagName getRootNode getSelection hasFocus head hidden images links nodeType ownerDocument querySelector querySelectorAll
  readyState removeEventListener scripts scrollingElement styleSheets title visibilityState`.split(/\s+/),
)

const isDocument = (source: string): boolean => /^(?:this\.|window\.)?document$/.test(source)

// What these members have is no form.
const OTHER_MEMBERS = new Set(
  `attributes childNodes children classList dataset elements innerText localName nodeName ownerDocument style tagName textContent`.split(
    ' ',
  ),
)

// What is written so is no element.
const isOther = ({ object }: MemberExpression): boolean =>
  (object.type === 'MemberExpression' &&
    object.property.type === 'Identifier' &&
    OTHER_MEMBERS.has(object.property.name)) ||
  ['ThisExpression', 'Super', 'Literal', 'TemplateLiteral', 'ArrayExpression', 'ObjectExpression'].includes(
    object.type,
  )

const editsOf =
  (source: string, wrapName: (name: string) => string) =>
  ({ member, isInChain }: FoundMember): readonly Insertion[] => {
    const { object, property, computed, optional } = member
    if (computed || property.type !== 'Identifier' || isOther(member)) return []
    const isOfDocument = isDocument(source.slice(object.start, object.end))
    if (!(isOfDocument ? DOCUMENT_MEMBERS : ELEMENT_MEMBERS).has(property.name)) return []
    // What is wrapped ends its chain, so the next link is asked too.
    const dot = source.indexOf('.', object.end)
    const [before = '', after = ''] = isOfDocument
      ? ['$O(', ')']
      : object.type === 'Identifier'
        ? wrapName(object.name).split(new RegExp(`(?<=\\()${object.name.replaceAll('$', '\\$')}(?=\\))`))
        : ['$E(', ')']
    return [
      ...(isInChain && !optional ? [{ at: dot, insert: '?' }] : []),
      { at: object.end, insert: after },
      { at: object.start, insert: before, end: object.end },
    ]
  }

interface FoundMember {
  readonly member: MemberExpression
  /** Whether an earlier link of the same chain may be missing. */
  readonly isInChain: boolean
}

function membersIn(node: AnyNode): readonly FoundMember[] {
  const found: FoundMember[] = []
  const pending: AnyNode[] = [node]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.type === 'MemberExpression') found.push({ member: next, isInChain: mayBeMissing(next.object) })
    for (const value of Object.values(next)) pending.push(...[value].flat().filter(isNode))
  }
  return found
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function mayBeMissing(node: AnyNode): boolean {
  if (node.type === 'MemberExpression') return node.optional || mayBeMissing(node.object)
  return node.type === 'CallExpression' && (node.optional || mayBeMissing(node.callee))
}
