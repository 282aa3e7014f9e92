// Components whose elements have a known line: each element has an id, and the line of its tag is noted while the text is written.

/** How a syntax writes what differs between frameworks. */
export interface Syntax {
  readonly extension: 'jsx' | 'astro'
  /** The name of the attribute with the classes. */
  readonly classAttribute: string
  open(name: string, children: readonly string[]): readonly string[]
  readonly close: readonly string[]
  /** What stands around the children of a component. */
  readonly children: string
}

export interface Generated {
  /** The text of each file. */
  readonly files: ReadonlyMap<string, string>
  /** `src/c1.jsx:12` by the id of an element, or by its id without the last part for those of a list. */
  readonly positions: ReadonlyMap<string, string>
}

const LIST = ['a', 'b', 'c']

const jsxImport = (name: string) => `import { ${name} } from './${name.toLowerCase()}.jsx'`
const astroImport = (name: string) => `import ${name} from './${name.toLowerCase()}.astro'`

export const jsxSyntax = (classAttribute: string): Syntax => ({
  extension: 'jsx',
  classAttribute,
  open: (name, children) => [
    ...children.map(jsxImport),
    '',
    `export function ${name}(props) {`,
    `  const list = ${JSON.stringify(LIST)}`,
    '  return (',
  ],
  close: ['  )', '}'],
  children: '{props.children}',
})

export const astroSyntax: Syntax = {
  extension: 'astro',
  classAttribute: 'class',
  open: (_, children) => [
    '---',
    ...children.map(astroImport),
    'const props = Astro.props',
    `const list = ${JSON.stringify(LIST)}`,
    '---',
  ],
  close: [],
  children: '<slot />',
}

/** `count` components of eleven elements each, with a frame component around parts of them. The first component has the others. */
export function generateComponents(syntax: Syntax, count: number): Generated {
  const files = new Map<string, string>()
  const positions = new Map<string, string>()
  for (let number = 0; number <= count; number += 1) {
    const name = number === 0 ? 'Frame' : `C${number}`
    const others = number === 1 ? Array.from({ length: count - 1 }, (_, index) => `C${index + 2}`) : []
    const file = `src/${name.toLowerCase()}.${syntax.extension}`
    const opening = syntax.open(name, number === 0 ? [] : ['Frame', ...others])
    const body = number === 0 ? frameBody(syntax) : componentBody(name.toLowerCase(), number, others, syntax)
    const lines = [...opening, ...body.map((line) => `    ${line}`), ...syntax.close, '']
    for (const [index, line] of lines.entries())
      for (const [, id] of line.matchAll(/<[a-z]\w* ?\/\*(.*?)\*\//g))
        positions.set(id ?? '', `${file}:${index + 1}`)
    files.set(file, lines.map((line) => line.replaceAll(/ ?\/\*.*?\*\//g, '')).join('\n'))
  }
  return { files, positions }
}

// --- internal ---

const frameBody = ({ children }: Syntax): readonly string[] => [
  '<article/*frame*/',
  '  id={props.id}',
  '>',
  `  <div/*frame-inner*/ id={props.id + "-inner"}>${children}</div>`,
  '</article>',
]

// The comment after a tag names the element, and is removed from the text.
function componentBody(
  id: string,
  number: number,
  others: readonly string[],
  { classAttribute }: Syntax,
): readonly string[] {
  const padding = Array.from({ length: (number * 7) % 5 }, () => '')
  return [
    `<section/*${id}-section*/ id="${id}-section" ${classAttribute}="box">`,
    ...padding,
    `  <h2/*${id}-title*/ id="${id}-title">Title {list.length}</h2>`,
    `  <p/*${id}-text*/`,
    `    id="${id}-text"`,
    `  >Some <b/*${id}-bold*/ id="${id}-bold">bold</b> text</p>`,
    '  <ul>',
    '    {list.map((item) => (',
    `      <li/*${id}-item*/ id={\`${id}-item-\${item}\`}>`,
    ...padding,
    `        <a/*${id}-link*/ id={\`${id}-link-\${item}\`} href="#">{item}</a>`,
    '      </li>',
    '    ))}',
    '  </ul>',
    `  {list.length > 1 && <em/*${id}-many*/ id="${id}-many">many</em>}`,
    `  {list.length > 9 ? <i>none</i> : <i/*${id}-few*/ id="${id}-few">few</i>}`,
    `  <Frame id="${id}-frame">`,
    `    <button/*${id}-button*/ id="${id}-button" type="button">Go</button>`,
    `    <input/*${id}-field*/ id="${id}-field" />`,
    '  </Frame>',
    ...others.map((name) => `  <${name} />`),
    '</section>',
  ]
}
