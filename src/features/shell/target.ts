// TARGET of a verb: the element that a word names. In this order: a ref, a text in quotes, an ARIA role with a name, a selector, a text. A role
// stands as a snapshot prints it.

import { moveRefs } from '../../core/tool/target.ts'

/** `text` is the text that the word says, where it is no more than that. */
export interface Target {
  readonly fields: { readonly ref: string } | { readonly selector: string }
  readonly text?: string
}

/** A text in quotes is exact; other texts may be a part, in any case. The text of a field (`isField`) is its label or placeholder. */
export function parseTarget(word: string, isField: boolean): Target {
  const { ref } = moveRefs({ selector: word.replace(/^@(?=(f\d+)?e\d+$)/, '') })
  if (typeof ref === 'string') return { fields: { ref } }
  const [, , quotedText] = QUOTED.exec(word) ?? []
  if (quotedText !== undefined) return textTarget(quotedText, true, isField)
  const [, role = '', name = ''] = ROLE_AND_NAME.exec(word) ?? []
  if (namelessRoles.has(role)) return { fields: textTarget(name, false, false).fields }
  if (roles.has(role) && !isCssSelector(word)) return { fields: { selector: roleSelector(role, name) } }
  if (roles.has(word) && tags.has(word))
    return { fields: { selector: `getByRole('${word}').or(locator('${word}'))` } }
  return isSelector(word) ? { fields: { selector: word } } : textTarget(word, false, isField)
}

// --- internal ---

const QUOTED = /^(["'])(.+)\1$/s
const ROLE_AND_NAME = /^([a-z]+):\s*(\S.*)$/s
const SELECTOR_LIMIT_CHARS = 4000

function textTarget(text: string, isExact: boolean, isField: boolean): Target {
  const input = `(${JSON.stringify(text)}${isExact ? ', { exact: true }' : ''})`
  const selector = isField ? `getByLabel${input}.or(getByPlaceholder${input})` : `getByText${input}`
  return { fields: { selector }, text }
}

function roleSelector(role: string, name: string): string {
  const [, , exactName] = QUOTED.exec(name) ?? []
  const options = `name: ${JSON.stringify(exactName ?? name)}${exactName === undefined ? '' : ', exact: true'}`
  return `getByRole('${role}', { ${options} })`
}

/** XPath, a locator as code, `engine=value`, a chain, or the beginning of CSS that no text has. */
const SURE_SELECTOR =
  /^(?:\(?\/\/|\.\.$|(?:await )?(?:page\.)?(?:getBy[A-Z]\w+|locator|frameLocator)\(|(?:css|xpath|text|role|id|nth|data-[\w-]+)(?::light)?=|[#.][A-Za-z_][\w-]*(?:$|[\s.#:>[])|\[[a-z][\w-]*[\]~|^$*]?=?)|\s>>\s/

const isSelector = (word: string): boolean => SURE_SELECTOR.test(word) || isCssSelector(word)

const IDENT = String.raw`-{0,2}(?:[A-Za-z_\u0080-\uffff]|\\.)(?:[\w\u0080-\uffff-]|\\.)*`
const COMPOUND = new RegExp(String.raw`^(${IDENT}|\*)?((?:[#.]${IDENT}|\[\]|::?[a-z-]+)*)$`)
const ATTRIBUTE = new RegExp(String.raw`\[\s*${IDENT}\s*(?:[~|^$*]?=(?:"[^"]*"|'[^']*'|[^\]"'])*)?\]`, 'g')
const PSEUDO_WITH_ARGUMENT = /(:[a-z-]+)\((?:"[^"]*"|'[^']*'|[^()"'])*\)/g

/** Whether a word is CSS whose tags and pseudo-classes exist: `Add to cart` is valid CSS, and a text. */
function isCssSelector(word: string): boolean {
  if (word.length > SELECTOR_LIMIT_CHARS) return false
  let rest = word.trim().replace(ATTRIBUTE, '[]')
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest.replace(PSEUDO_WITH_ARGUMENT, '$1')
  }
  return rest.split(/\s*[,>+~]\s*|\s+/).every((compound) => {
    const [, tag, parts = ''] = COMPOUND.exec(compound) ?? []
    const pseudos = parts.match(/(?<![:\\]):[a-z-]+/g) ?? []
    return (
      (tag !== undefined || parts !== '') &&
      (tag === undefined || isTag(tag)) &&
      pseudos.every((pseudo) => pseudoClasses.has(pseudo.slice(1)))
    )
  })
}

/** One of HTML or SVG, or a custom element. */
const isTag = (name: string): boolean => tags.has(name) || /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name)

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const roles = wordsOf(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo
  definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion link list listbox
  listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation
  progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript
  superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`,
)

/** ARIA gives them no name: what a snapshot prints after them is their text. */
const namelessRoles = wordsOf(
  'caption code deletion emphasis generic insertion none paragraph presentation strong subscript superscript',
)

const tags = wordsOf(
  `* a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col colgroup data datalist dd
  del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img
  input ins kbd label legend li link main map mark menu meta meter nav noscript object ol optgroup option output p picture pre progress q rp
  rt ruby s samp script section select slot small source span strong style sub summary sup table tbody td template textarea tfoot th thead
  time title tr track u ul var video wbr svg g path circle rect line ellipse polygon polyline text tspan use image`,
)

/** Of CSS and of Playwright. */
const pseudoClasses = wordsOf(
  `active any-link autofill checked default defined dir disabled empty enabled first-child first-of-type focus focus-visible focus-within
  fullscreen has hover in-range indeterminate invalid is lang last-child last-of-type link not nth-child nth-last-child nth-last-of-type
  nth-of-type only-child only-of-type open optional out-of-range placeholder-shown popover-open read-only read-write required root scope
  target user-invalid user-valid valid visited where above below has-text left-of light near nth-match right-of text text-is text-matches
  visible`,
)
