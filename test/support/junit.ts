// Reads JUnit XML strictly, and checks it by the schema of Jenkins (jenkins-junit.xsd), which other CI systems refer to.

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

interface Rule {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly children: readonly string[]
}

const PROBLEM: Rule = { required: [], optional: ['message', 'type'], children: [] }
const TEXT: Rule = { required: [], optional: [], children: [] }
const RULES: Readonly<Record<string, Rule>> = {
  testsuites: {
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'],
    children: ['testsuite'],
  },
  testsuite: {
    required: ['name', 'tests'],
    optional: ['failures', 'errors', 'time', 'disabled', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
    children: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name', 'classname'],
    optional: ['assertions', 'time', 'status'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: PROBLEM,
  error: PROBLEM,
  skipped: TEXT,
  'system-out': TEXT,
}
const NUMBERS = new Set(['time', 'tests', 'failures', 'errors', 'skipped'])

/** The root of a document; throws where it is not well-formed or breaks the schema. */
export function readJunit(xml: string): XmlElement {
  const illegal = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(xml)
  if (illegal) throw new Error(`no character of XML at ${illegal.index}`)
  const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!xml.startsWith(prolog)) throw new Error('no prolog')
  const [root, rest] = readElement(xml.slice(prolog.length))
  if (rest.trim() !== '' || root.name !== 'testsuites')
    throw new Error(`more than one root: ${rest.slice(0, 80)}`)
  checkElement(root)
  checkCounts(root)
  return root
}

// --- internal ---

function readElement(xml: string): [XmlElement, string] {
  const start = /^<([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/.exec(xml)
  if (!start) throw new Error(`no element: ${xml.slice(0, 80)}`)
  const [whole, name = '', pairs = '', end] = start
  const attributes: Record<string, string> = {}
  for (const [, key = '', value = ''] of pairs.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
    if (key in attributes) throw new Error(`${name} has ${key} twice`)
    attributes[key] = unescapeXml(value)
  }
  let rest = xml.slice(whole.length)
  if (end === '/') return [{ name, attributes, children: [], text: '' }, rest]
  const children: XmlElement[] = []
  let text = ''
  for (;;) {
    const [run = ''] = /^[^<]*/.exec(rest) ?? []
    text += unescapeXml(run)
    rest = rest.slice(run.length)
    if (rest.startsWith(`</${name}>`))
      return [{ name, attributes, children, text }, rest.slice(name.length + 3)]
    const [child, after] = readElement(rest)
    children.push(child)
    rest = after
  }
}

const unescapeXml = (text: string): string =>
  text.replace(/&(?:#(\d+);)?/g, (reference, code: string | undefined) => {
    if (code === undefined) throw new Error(`a reference that is none: ${reference}`)
    return String.fromCodePoint(Number(code))
  })

function checkElement({ name, attributes, children, text }: XmlElement): void {
  const rule = RULES[name]
  if (!rule) throw new Error(`unknown element ${name}`)
  for (const required of rule.required)
    if (!(required in attributes)) throw new Error(`${name} lacks ${required}`)
  for (const [key, value] of Object.entries(attributes)) {
    if (![...rule.required, ...rule.optional].includes(key)) throw new Error(`${name} must not have ${key}`)
    if (NUMBERS.has(key) && !/^\d+(\.\d+)?$/.test(value)) throw new Error(`${key} is no number: ${value}`)
  }
  for (const child of children) {
    if (!rule.children.includes(child.name)) throw new Error(`${name} must not have ${child.name}`)
    checkElement(child)
  }
  if (rule.children.length > 0 && text.trim() !== '') throw new Error(`${name} has a text`)
}

function checkCounts(element: XmlElement): void {
  const cases = casesOf(element)
  const count = (name: string) =>
    cases.filter(({ children }) => children.some((one) => one.name === name)).length
  const { tests, failures, errors, skipped } = element.attributes
  const found = [
    cases.length,
    count('failure'),
    count('error'),
    ...(skipped === undefined ? [] : [count('skipped')]),
  ]
  const said = [tests, failures, errors, ...(skipped === undefined ? [] : [skipped])]
  if (said.join() !== found.join())
    throw new Error(`${element.name} counts ${said.join()}, not ${found.join()}`)
  if (element.name === 'testsuites') element.children.forEach(checkCounts)
}

/** All tests below it. */
export const casesOf = ({ name, children }: XmlElement): readonly XmlElement[] =>
  name === 'testsuite' ? children.filter((one) => one.name === 'testcase') : children.flatMap(casesOf)
