// The functions of a script as V8 counts them: each with its own range, initializers of fields among them.

import type {
  AnyNode,
  ArrowFunctionExpression,
  Class,
  FunctionDeclaration,
  FunctionExpression,
  Program,
  PropertyDefinition,
  StaticBlock,
} from 'acorn'

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression
export type ClassField = PropertyDefinition | StaticBlock

/** Code that runs as one function. */
export interface OwnCode {
  readonly node: Program | FunctionNode | readonly ClassField[]
  readonly start: number
  readonly end: number
  /** The last offset at which V8 may report its start: a modifier such as `static` is not always included. */
  readonly latestStart: number
  /** What earlier versions of V8 say of the fields of an object: where the class begins. */
  readonly classStart?: number
}

/** The whole script first. */
export function functionsIn(program: Program, length: number): readonly OwnCode[] {
  const own: OwnCode[] = [{ node: program, start: 0, end: length, latestStart: 0 }]
  function collect(node: AnyNode, parent: AnyNode): void {
    if (isFunction(node)) {
      own.push({ node, end: node.end, ...startOf(node, parent) })
    }
    if (isClass(node)) own.push(...initializersOf(node))
    for (const child of childrenOf(node)) collect(child, node)
  }
  collect(program, program)
  return own
}

export const isFunction = (node: AnyNode): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression'

/** In the order of the text. */
export function childrenOf(node: AnyNode): readonly AnyNode[] {
  const children: AnyNode[] = []
  let isSorted = true
  const add = (value: unknown) => {
    // A short property is its own key.
    if (!isNode(value) || children.at(-1) === value) return
    isSorted &&= (children.at(-1)?.start ?? 0) <= value.start
    children.push(value)
  }
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) value.forEach(add)
    else add(value)
  }
  return isSorted ? children : children.sort((a, b) => a.start - b.start)
}

/** The fields and blocks of a class that run together. */
export const fieldsOf = (node: Class, isStatic: boolean): readonly ClassField[] =>
  node.body.body.filter(
    (member): member is ClassField =>
      (member.type === 'PropertyDefinition' && member.static === isStatic) ||
      (member.type === 'StaticBlock' && isStatic),
  )

// --- internal ---

const isClass = (node: AnyNode) => node.type === 'ClassDeclaration' || node.type === 'ClassExpression'

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

function startOf(node: FunctionNode, parent: AnyNode): Pick<OwnCode, 'start' | 'latestStart'> {
  const isMethod =
    parent.type === 'MethodDefinition' ||
    (parent.type === 'Property' && (parent.method || parent.kind !== 'init'))
  return isMethod && parent.value === node
    ? { start: parent.start, latestStart: parent.key.start }
    : { start: node.start, latestStart: node.start }
}

function initializersOf(node: Class): readonly OwnCode[] {
  return [false, true].flatMap((isStatic) => {
    const fields = fieldsOf(node, isStatic)
    const [first, last] = [fields[0], fields.at(-1)]
    if (!first || !last) return []
    const latestStart = first.type === 'PropertyDefinition' ? first.key.start : first.start
    return [{ node: fields, start: first.start, end: last.end, latestStart, classStart: node.start }]
  })
}
