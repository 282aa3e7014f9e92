// Puts the code of a function in the order of its evaluation, with the counters that V8 has in it. V8 counts branches, the bodies of
// loops and what follows a statement or an `await`; it counts no exception that a called function throws.

import type { AnyNode, CallExpression, Class, MemberExpression, SwitchStatement, TryStatement } from 'acorn'
import { childrenOf, fieldsOf, isFunction, type OwnCode } from './functions-in.ts'
import { addNames, dropNames, isKnown, type Names, namesWithin, startNames } from './known-names.ts'
import { type Region, regionOf, type Step, type Steps } from './regions.ts'

export interface Counters {
  readonly source: string
  /** What V8 counted at an offset of this function. */
  at(offset: number): number
  /** How often a function or the initializer of a class was called. */
  of(node: OwnCode['node']): number
}

interface Scope extends Counters {
  readonly names: Names
  /** Whether V8 counts what follows here: not at the end of a block. */
  readonly isFollowed: boolean
}

export function buildRegion({ node, start }: OwnCode, counters: Counters, isModule: boolean): Region {
  const scope: Scope = { ...counters, names: startNames(), isFollowed: false }
  if ('length' in node)
    return regionOf(
      node.map((field) =>
        field.type === 'StaticBlock'
          ? list(field.body, scope)
          : field.value
            ? stepsOf(field.value, scope)
            : [],
      ),
    )
  if (node.type === 'Program') return regionOf([isModule ? EXIT : [], list(node.body, scope)])
  const parameters = node.params.map((parameter) => stepsOfPattern(parameter, scope))
  for (const parameter of node.params) addNames(parameter, scope.names)
  return regionOf([
    parameters,
    // The body of a generator begins with the first `next`.
    node.generator ? EXIT : [],
    code(start, true),
    stepsOf(node.body, scope),
  ])
}

// --- internal ---

const EXIT: Step = { kind: 'exit' }
const THROW: Step = { kind: 'throw' }
const code = (offset: number, isStatement = false): Step => ({ kind: 'code', offset, isStatement })
const counter = (count: number): Step => ({ kind: 'counter', count })

/** What follows some regions that may be left. */
function exitOf(...regions: readonly Region[]): Steps {
  const ways = regions.map(({ way }) => way)
  return ways.includes('exit') ? [EXIT] : ways.includes('throw') ? [THROW] : []
}

function branch(steps: Steps, count?: number): Steps {
  const region = regionOf(steps)
  return [
    count === undefined ? { kind: 'branch', region } : { kind: 'branch', region, count },
    exitOf(region),
  ]
}

function option(steps: Steps): Steps {
  const region = regionOf(steps)
  return [{ kind: 'option', region }, exitOf(region)]
}

/** Statements one after the other. */
function list(nodes: readonly AnyNode[], scope: Scope): Steps {
  const statements = nodes.filter((node) => !isDeclaration(node))
  const own = { ...scope, names: namesWithin(scope.names) }
  // What a block declares has no value before its declaration, even where a name around it has one.
  for (const node of statements) dropNames(node, own.names)
  return statements.map((node, index) => [
    code(node.start, true),
    stepsOf(node, { ...own, isFollowed: index < statements.length - 1 }),
  ])
}

function stepsOf(node: AnyNode, scope: Scope): Steps {
  if (isDeclaration(node)) return []
  if (isFunction(node)) return [code(node.start), { kind: 'proof', count: Math.min(1, scope.of(node)) }]
  return [code(node.start), stepsOfStatement(node, scope) ?? stepsOfExpression(node, scope)]
}

/** Whether it is there before the code around it runs, so that it tells nothing of that; V8 keeps no statement for it. */
function isDeclaration(node: AnyNode): boolean {
  if (node.type === 'ExportNamedDeclaration') return !node.declaration || isDeclaration(node.declaration)
  if (node.type === 'ExportDefaultDeclaration') return isDeclaration(node.declaration)
  return DECLARATIONS.has(node.type)
}

/** Something that is not in a list of statements. */
const alone = (node: AnyNode, scope: Scope) => stepsOf(node, { ...scope, isFollowed: false })

/** The counter after a statement. */
const after = (offset: number, scope: Scope): Steps => (scope.isFollowed ? [counter(scope.at(offset))] : [])

function stepsOfStatement(node: AnyNode, scope: Scope): Steps | undefined {
  switch (node.type) {
    case 'BlockStatement':
      return list(node.body, scope)
    case 'IfStatement':
      return [
        alone(node.test, scope),
        branch(alone(node.consequent, scope), scope.at(node.consequent.start)),
        node.alternate ? branch(alone(node.alternate, scope), scope.at(node.alternate.start)) : [],
        after((node.alternate ?? node.consequent).end, scope),
      ]
    case 'ReturnStatement':
    case 'ThrowStatement':
      return [node.argument ? alone(node.argument, scope) : [], counter(0)]
    case 'BreakStatement':
    case 'ContinueStatement':
      return [counter(0)]
    case 'LabeledStatement':
      // What follows is reached by `break` too.
      return LOOP.test(node.body.type) ? stepsOf(node.body, scope) : branch(alone(node.body, scope))
    case 'SwitchStatement':
      return stepsOfSwitch(node, scope)
    case 'TryStatement':
      return stepsOfTry(node, scope)
    case 'VariableDeclaration':
      return node.declarations.map(({ id, init, start }) => {
        const steps = [code(start, true), init ? stepsOf(init, scope) : [], stepsOfPattern(id, scope)]
        addNames(id, scope.names)
        return steps
      })
    case 'ClassDeclaration':
    case 'ClassExpression':
      return stepsOfClass(node, scope)
    default:
      return stepsOfLoop(node, scope)
  }
}

function stepsOfLoop(node: AnyNode, scope: Scope): Steps | undefined {
  switch (node.type) {
    case 'WhileStatement':
      return [alone(node.test, scope), loop(node.body, scope)]
    case 'DoWhileStatement':
      return loop(node.body, scope, { between: alone(node.test, scope) })
    case 'ForStatement': {
      const own = { ...scope, names: namesWithin(scope.names) }
      return [
        node.init ? alone(node.init, own) : [],
        node.test ? alone(node.test, own) : [],
        loop(node.body, own, { between: node.update ? alone(node.update, own) : [] }),
      ]
    }
    case 'ForInStatement':
    case 'ForOfStatement': {
      const target = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left
      const first = target ? stepsOfPattern(target, scope) : []
      // V8 does not count the end of a loop over null.
      const mayEndUncounted = node.type === 'ForInStatement'
      const awaited = node.type === 'ForOfStatement' && node.await ? [EXIT] : []
      return [
        alone(node.right, scope),
        THROW,
        awaited,
        loop(node.body, scope, { first: [awaited, first], mayEndUncounted }),
      ]
    }
    default:
      return undefined
  }
}

interface LoopParts {
  /** What each run of the body begins with. */
  readonly first?: Steps
  readonly between?: Steps
  readonly mayEndUncounted?: boolean
}

function loop(
  body: AnyNode,
  scope: Scope,
  { first = [], between = [], mayEndUncounted }: LoopParts = {},
): Steps {
  const region = regionOf([first, alone(body, scope)])
  const betweenRegion = regionOf(between)
  const endCount = scope.isFollowed ? scope.at(body.end) : 0
  const isWhole = !hasJump(body)
  const count = scope.at(body.start)
  return [
    { kind: 'loop', region, count, endCount, between: betweenRegion, isWhole },
    exitOf(region, betweenRegion),
    mayEndUncounted ? { kind: 'proof', count: endCount } : after(body.end, scope),
  ]
}

function stepsOfSwitch({ discriminant, cases, end }: SwitchStatement, scope: Scope): Steps {
  return [
    alone(discriminant, scope),
    cases.map(({ test }) => (test ? option(alone(test, scope)) : [])),
    cases.map(({ consequent, start }) => branch([code(start), list(consequent, scope)], scope.at(start))),
    after(end, scope),
  ]
}

function stepsOfTry({ block, handler, finalizer, end }: TryStatement, scope: Scope): Steps {
  const caught = handler ? scope.at(handler.body.start) : 0
  // What follows was reached by the end of the block or by that of the handler.
  const isWhole = scope.isFollowed && ![block, handler, finalizer].some((part) => part && hasJump(part))
  const whole = isWhole ? Math.max(0, scope.at(end) - caught) : 0
  const tried = list(block.body, scope)
  const handled = handler
    ? [handler.param ? stepsOfPattern(handler.param, scope) : [], list(handler.body.body, scope)]
    : []
  const last = finalizer ? list(finalizer.body, scope) : []
  return [
    branch([tried, { kind: 'proof', count: whole }]),
    branch(handled, caught),
    finalizer ? branch(last, scope.at(finalizer.start)) : [],
    after(end, scope),
  ]
}

function stepsOfClass(node: Class & { readonly type: string }, scope: Scope): Steps {
  const methods = node.body.body.filter((member) => member.type === 'MethodDefinition')
  const keys = node.body.body.map((member) =>
    member.type !== 'StaticBlock' && member.computed ? stepsOf(member.key, scope) : [],
  )
  const initializers = [false, true].map((isStatic) => fieldsOf(node, isStatic))
  const calls = [...methods.map(({ value }) => value), ...initializers].map((own) => scope.of(own))
  const steps: Steps = [
    node.superClass ? [alone(node.superClass, scope), THROW] : [],
    keys,
    { kind: 'proof', count: calls.some((count) => count > 0) ? 1 : 0 },
    THROW,
  ]
  if (node.type === 'ClassDeclaration') addNames(node.id, scope.names)
  return steps
}

function stepsOfExpression(node: AnyNode, scope: Scope): Steps {
  switch (node.type) {
    case 'LogicalExpression':
      return [stepsOf(node.left, scope), branch(stepsOf(node.right, scope), scope.at(node.right.start))]
    case 'ConditionalExpression':
      return [
        stepsOf(node.test, scope),
        branch(stepsOf(node.consequent, scope), scope.at(node.consequent.start)),
        // V8 has no counter for the condition of a second `?:` of a chain.
        node.alternate.type === 'ConditionalExpression'
          ? option(stepsOf(node.alternate, scope))
          : branch(stepsOf(node.alternate, scope), scope.at(node.alternate.start)),
      ]
    case 'AwaitExpression':
    case 'YieldExpression': {
      const value = node.argument ? stepsOf(node.argument, scope) : []
      // V8 counts behind the semicolon.
      SEMICOLON.lastIndex = node.end
      const end = SEMICOLON.test(scope.source) ? SEMICOLON.lastIndex : node.end
      return [value, EXIT, after(end, scope)]
    }
    case 'AssignmentExpression': {
      const value = stepsOf(node.right, scope)
      if (node.left.type !== 'MemberExpression' && node.operator === '=')
        return [value, stepsOfPattern(node.left, scope), THROW]
      // A property that is only written is not read before the value is there.
      const target =
        node.left.type === 'MemberExpression' && node.operator === '='
          ? [code(node.left.start), readsOfChain(node.left, scope)]
          : stepsOf(node.left, scope)
      return [target, LOGICAL.test(node.operator) ? option(value) : value, THROW]
    }
    case 'CallExpression':
    case 'MemberExpression':
      return [readsOfChain(node, scope), THROW]
    case 'Identifier':
      return isKnown(node.name, scope.names) ? [] : [THROW]
    case 'Property':
      return [node.computed ? [stepsOf(node.key, scope), THROW] : [], stepsOf(node.value, scope)]
    case 'AssignmentPattern':
    case 'ObjectPattern':
    case 'ArrayPattern':
    case 'RestElement':
      return stepsOfPattern(node, scope)
    default:
      return [childrenOf(node).map((child) => stepsOf(child, scope)), isHarmless(node) ? [] : [THROW]]
  }
}

/** What comes before a call or the reading of a property. What follows `?.` may be skipped; earlier versions of V8 do not count it. */
function readsOfChain(node: CallExpression | MemberExpression, scope: Scope): Steps {
  const isSkipped = isOptional(node)
  if (node.type === 'CallExpression') {
    const values = node.arguments.map((value) => stepsOf(value, scope))
    return [stepsOf(node.callee, scope), isSkipped ? option(values) : values]
  }
  const name = isSkipped ? [] : [code(node.property.start)]
  const key = node.computed ? stepsOf(node.property, scope) : name
  return [stepsOf(node.object, scope), isSkipped ? option(key) : key]
}

function isOptional(node: AnyNode): boolean {
  if (node.type === 'CallExpression') return node.optional || isOptional(node.callee)
  return node.type === 'MemberExpression' && (node.optional || isOptional(node.object))
}

function stepsOfPattern(node: AnyNode, scope: Scope): Steps {
  switch (node.type) {
    case 'Identifier':
      return []
    case 'AssignmentPattern':
      return [option(stepsOf(node.right, scope)), stepsOfPattern(node.left, scope)]
    case 'ObjectPattern':
      return [
        THROW,
        node.properties.map((property) =>
          property.type === 'RestElement'
            ? stepsOfPattern(property.argument, scope)
            : [
                property.computed ? stepsOf(property.key, scope) : [],
                THROW,
                stepsOfPattern(property.value, scope),
              ],
        ),
      ]
    case 'ArrayPattern':
      return [THROW, node.elements.map((element) => (element ? [THROW, stepsOfPattern(element, scope)] : []))]
    case 'RestElement':
      return stepsOfPattern(node.argument, scope)
    default:
      return [stepsOf(node, scope), THROW]
  }
}

const LOOP = /^(?:(?:Do)?While|For(?:In|Of)?)Statement$/
const SEMICOLON = /(?:\s|\/\/.*[\n\r\u2028\u2029]|\/\*(?:[^*]|\*(?!\/))*\*\/)*;/y
const LOGICAL = /^(?:&&|\|\||\?\?)=$/
const HARMLESS: ReadonlySet<string> = new Set([
  'Literal',
  'ExpressionStatement',
  'ParenthesizedExpression',
  'SequenceExpression',
  'ArrayExpression',
  'ObjectExpression',
  'TemplateElement',
  'ChainExpression',
  'DebuggerStatement',
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
])
const DECLARATIONS: ReadonlySet<string> = new Set([
  'EmptyStatement',
  'ExportAllDeclaration',
  'FunctionDeclaration',
  'ImportDeclaration',
])

/** Whether it throws nothing by itself. */
const isHarmless = (node: AnyNode) =>
  HARMLESS.has(node.type) ||
  (node.type === 'UnaryExpression' && ['!', 'typeof', 'void'].includes(node.operator)) ||
  (node.type === 'BinaryExpression' && ['===', '!=='].includes(node.operator))

/** Whether something in it, but for other functions, jumps or waits. */
function hasJump(node: AnyNode): boolean {
  const known = jumps.get(node)
  if (known !== undefined) return known
  const has =
    JUMPS.has(node.type) ||
    (node.type === 'ForOfStatement' && node.await) ||
    (!isFunction(node) && childrenOf(node).some(hasJump))
  jumps.set(node, has)
  return has
}

const jumps = new WeakMap<AnyNode, boolean>()
const JUMPS: ReadonlySet<string> = new Set([
  'BreakStatement',
  'ContinueStatement',
  'AwaitExpression',
  'YieldExpression',
])
