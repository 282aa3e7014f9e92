// The structure of JavaScript and TypeScript, with JSX.

import { parse, type ParserPlugin } from '@babel/parser'
import type { SourcePart, SourceStructure } from './structure.ts'

interface CodeOptions {
  readonly isTypeScript: boolean
  readonly isJsx: boolean
  /** Where the text begins in its file, from 1 and from 0. */
  readonly startLine?: number
  readonly startColumn?: number
}

/** Undefined for what is no program. */
export function parseCode(
  text: string,
  { isTypeScript, isJsx, startLine = 1, startColumn = 0 }: CodeOptions,
): SourceStructure | undefined {
  const tree = readTree(text, isTypeScript, isJsx, startLine, startColumn)
  if (!tree) return undefined
  const parts: SourcePart[] = []
  const starts = new Set<string>()
  const typeRanges: Range[] = []
  const stack: Child[] = [{ node: tree.program, role: '' }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, role } = next
    if (isType(node)) {
      typeRanges.push(node)
      continue
    }
    const inner = WRAPPERS.has(node.type) ? node['expression'] : undefined
    if (isNode(inner) && node.type !== 'TSTypeAssertion') typeRanges.push({ start: inner.end, end: node.end })
    const kind = kindOf(node, role)
    if (kind) {
      parts.push({ kind, firstLine: node.loc.start.line, lastLine: node.loc.end.line })
      starts.add(`${node.loc.start.line}:${node.loc.start.column + 1}`)
    }
    stack.push(...childrenOf(node).toReversed())
  }
  const { codeLines, bracketLines } = linesOf(tree.tokens, typeRanges)
  return {
    parts,
    codeLines,
    bracketLines,
    imports: listOf(tree.program, 'body').flatMap(importsOf),
    startsPart: (line, column) => starts.has(`${line}:${column}`),
    describe: () => describe(tree.program),
  }
}

// --- internal ---

interface Range {
  readonly start: number
  readonly end: number
}

interface Location {
  readonly start: { readonly line: number; readonly column: number }
  readonly end: { readonly line: number; readonly column: number }
}

interface Node extends Range {
  readonly type: string
  readonly loc: Location
  readonly [field: string]: unknown
}

interface Token extends Range {
  readonly type: string | { readonly label: string; readonly keyword?: string }
  readonly value: unknown
  readonly loc: Location
}

interface Child {
  readonly node: Node
  /** The type of its parent and the field. */
  readonly role: string
}

function readTree(
  text: string,
  isTypeScript: boolean,
  isJsx: boolean,
  startLine: number,
  startColumn: number,
) {
  const plugins: ParserPlugin[] = [
    isTypeScript ? 'typescript' : 'flow',
    ...(isJsx ? (['jsx'] as const) : []),
    'decorators-legacy',
    'explicitResourceManagement',
    'decoratorAutoAccessors',
  ]
  try {
    const file = parse(text, {
      ...{ plugins, startLine, startColumn, sourceType: 'unambiguous', tokens: true, attachComment: false },
      ...{ allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true, allowUndeclaredExports: true },
    })
    return file as unknown as { readonly program: Node; readonly tokens: readonly Token[] }
  } catch {
    return undefined
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'loc' in value

const childrenOf = (node: Node): readonly Child[] =>
  Object.entries(node).flatMap(([role, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter(isNode)
      .map((child) => ({ node: child, role: `${node.type} ${role}` })),
  )

const listOf = (node: Node, field: string): readonly Node[] => {
  const list = node[field]
  return Array.isArray(list) ? list.filter(isNode) : []
}

/** Those of a statement: of an import declaration, and of variables that are required. */
function importsOf(statement: Node): readonly string[] {
  if (isType(statement)) return []
  if (statement.type === 'ImportDeclaration') return textsOf(statement['source'])
  return listOf(statement, 'declarations').flatMap(({ init }) => {
    if (!isNode(init) || init.type !== 'CallExpression') return []
    const { callee } = init
    return isNode(callee) && callee['name'] === 'require' ? listOf(init, 'arguments').flatMap(textsOf) : []
  })
}

const textsOf = (node: unknown): readonly string[] =>
  isNode(node) && node.type === 'StringLiteral' ? [String(node['value'])] : []

const FUNCTION =
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|Class(?:Private)?Method)$/
const STATEMENT = /(?:Statement|Declaration)$/
const ENDS = new Set(['IfStatement alternate', 'TryStatement finalizer'])
const OPERANDS = new Set([
  'ConditionalExpression consequent',
  'ConditionalExpression alternate',
  'LogicalExpression right',
])
const HOISTED = new Set([
  'BlockStatement',
  'EmptyStatement',
  'FunctionDeclaration',
  'ImportDeclaration',
  'ExportAllDeclaration',
])

function kindOf(node: Node, role: string): SourcePart['kind'] | undefined {
  if (FUNCTION.test(node.type)) return 'function'
  if (/^JSX(?:Element|Fragment)$/.test(node.type)) return 'element'
  if (node.type === 'CatchClause' || node.type === 'SwitchCase' || ENDS.has(role)) return 'branch'
  // An operand of several lines has a place of its own.
  if (OPERANDS.has(role)) return node.loc.end.line > node.loc.start.line ? 'statement' : undefined
  return STATEMENT.test(node.type) && !isHoisted(node) ? 'statement' : undefined
}

/** Whether it is there before anything runs, or has nothing of its own. */
const isHoisted = (node: Node): boolean =>
  HOISTED.has(node.type) || (/^Export(?:Named|Default)/.test(node.type) && !isStatement(node['declaration']))

const isStatement = (value: unknown): boolean =>
  isNode(value) && value.type !== 'FunctionDeclaration' && value.type !== 'TSDeclareFunction'

const TYPE_NODE =
  /^(?:TSTypeAnnotation|TypeAnnotation|TSTypeParameter(?:Declaration|Instantiation)|TypeParameter(?:Declaration|Instantiation)|TSInterfaceDeclaration|InterfaceDeclaration|TSTypeAliasDeclaration|TypeAlias|OpaqueType|Declare\w+|TSDeclareFunction|TSDeclareMethod|TSIndexSignature|TSExpressionWithTypeArguments|TSClassImplements|ClassImplements)$/
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSTypeAssertion',
  'TypeCastExpression',
])

const isType = (node: Node): boolean =>
  TYPE_NODE.test(node.type) ||
  node['declare'] === true ||
  node['importKind'] === 'type' ||
  node['importKind'] === 'typeof' ||
  node['exportKind'] === 'type'

const HOLDING_WORD = /^(?:else|try|finally|do|catch|default)$/

function linesOf(tokens: readonly Token[], typeRanges: readonly Range[]) {
  const ranges = typeRanges.toSorted((a, b) => a.start - b.start)
  const [codeLines, otherThanBrackets] = [new Set<number>(), new Set<number>()]
  let [next, typeEnd] = [0, 0]
  for (const { start, end, type, value, loc } of tokens) {
    for (; next < ranges.length && (ranges[next]?.start ?? 0) <= start; next += 1)
      typeEnd = Math.max(typeEnd, ranges[next]?.end ?? 0)
    if (start < typeEnd || end === start || typeof type === 'string') continue
    const isText = type.label === 'jsxText'
    const texts = isText ? String(value).split(/\r\n?|\n/) : []
    const isBracket =
      value === undefined || HOLDING_WORD.test(String(type.keyword ?? '')) || type.label === ';'
    for (let line = loc.start.line; line <= loc.end.line; line += 1) {
      if (isText && !texts[line - loc.start.line]?.trim()) continue
      codeLines.add(line)
      if (!isBracket) otherThanBrackets.add(line)
    }
  }
  return { codeLines, bracketLines: new Set([...codeLines].filter((line) => !otherThanBrackets.has(line))) }
}

/** What says nothing of how it runs. */
const UNSAID: ReadonlySet<string> = new Set([
  ...['start', 'end', 'loc', 'extra', 'errors', 'comments', 'tokens', 'range', 'sourceType', 'interpreter'],
  ...['accessibility', 'readonly', 'definite', 'abstract', 'override', 'importKind', 'exportKind'],
])
const OPTIONAL_TYPE = /^(?:Identifier|Class\w*Property|Class\w*Method|ObjectPattern|ArrayPattern)$/

/** The tree without places, comments and types, as text. */
function describe(program: Node): string {
  const texts: string[] = []
  const stack: Item[] = [{ value: program }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if ('mark' in next) {
      texts.push(next.mark)
      continue
    }
    const { value } = next
    if (Array.isArray(value))
      pushBetween(
        stack,
        '[',
        value.map((one: unknown) => ({ value: one })),
        ']',
      )
    else if (!isNode(value))
      texts.push(typeof value === 'bigint' ? `${value}` : (JSON.stringify(value) ?? ''))
    else if (WRAPPERS.has(value.type)) stack.push({ value: value['expression'] })
    else if (!isType(value)) pushBetween(stack, '{', fieldsOf(value), '}')
  }
  return texts.join(' ')
}

interface Marked {
  readonly value: unknown
}

type Item = Marked | { readonly mark: string }

function pushBetween(stack: Item[], open: string, items: readonly Item[], close: string): void {
  stack.push({ mark: close })
  for (const item of items.toReversed()) stack.push(item)
  stack.push({ mark: open })
}

const fieldsOf = (node: Node): readonly Item[] =>
  Object.entries(node).flatMap(([name, value]) => {
    const isMark = UNSAID.has(name) || (name === 'optional' && OPTIONAL_TYPE.test(node.type))
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const areTypes = values.length > 0 && values.every((one) => isNode(one) && isType(one))
    return isMark || value == null || areTypes ? [] : [{ mark: name }, { value }]
  })
