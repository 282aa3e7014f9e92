// Small programs by a seed: each statement on a line of its own, each decision taken from a tape, so that one function leaves in many ways.
// `d()` is the next decision; `call()` may throw, `wait()` may be a promise that is never settled, `list()` has up to three elements.

export interface Program {
  readonly name: string
  readonly source: string
  /** Each is JavaScript that is run by itself, and together with the others. */
  readonly calls: readonly string[]
  /** Whether it is compiled, or printed with the semicolons and lines of a printer. */
  readonly form?: 'tsx' | 'printed' | undefined
}

type Kind = 'plain' | 'async' | 'generator' | 'async generator'

interface Context {
  readonly kind: Kind
  readonly depth: number
  readonly loops: readonly string[]
  readonly pick: <T>(values: readonly T[]) => T
  /** A name that nothing else has. */
  readonly name: () => string
}

const TAPES = [
  '',
  '1',
  '0',
  '11',
  '10',
  '01',
  '111',
  '1101',
  '0110',
  '101101',
  '110011',
  '1110111',
  '01011101',
]

export function generateProgram(seed: number, form?: Program['form']): Program {
  const random = createRandom(seed)
  let names = 0
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const kind = pick<Kind>(['plain', 'plain', 'plain', 'async', 'generator', 'async generator'])
  const context: Context = { kind, depth: 0, loops: [], pick, name: () => `n${(names += 1)}` }
  const head = {
    plain: 'function',
    async: 'async function',
    generator: 'function*',
    'async generator': 'async function*',
  }[kind]
  const parameters = pick([
    '',
    'a = call()',
    '{ b = call(),\n  c = d() } = {}',
    'a,\n  [b = call()] = list()',
  ])
  const lines = [`${head} subject(${parameters}) {`, ...block(context, 2 + Math.floor(random() * 4)), '}']
  const tapes = Array.from({ length: 6 }, () => pick(TAPES))
  return {
    name: `seed ${seed}`,
    source: lines.join('\n'),
    form,
    calls: [...new Set(tapes)].map((tape) => `await run('${tape}', () => subject())`),
  }
}

/** Numbers from 0 to 1, always the same ones. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function block(context: Context, length = context.pick([0, 1, 1, 2, 3])): readonly string[] {
  return Array.from({ length }, () => statement(context)).flatMap((lines) => lines.map((line) => `  ${line}`))
}

function statement(context: Context): readonly string[] {
  const { pick, depth, name } = context
  if (depth > 3 || pick([true, false])) return simple(context)
  const inner = { ...context, depth: depth + 1 }
  const label = name()
  const loop = { ...inner, loops: [...inner.loops, label] }
  return pick([
    () => [`if (${condition(inner)}) {`, ...block(inner), '}'],
    () => [`if (${condition(inner)}) {`, ...block(inner), '} else {', ...block(inner), '}'],
    () => [`if (${condition(inner)})`, ...one(inner)],
    () => [`if (d()) {`, ...block(inner), `} else if (${condition(inner)}) {`, ...block(inner), '}'],
    () => [`${label}: for (const x of list()) {`, ...block(loop), '}'],
    () => [`${label}: for (let i = 0; i < 2; i++) {`, ...block(loop), '}'],
    () => ['for (const x in { a: 1, b: 2 })', ...one(inner)],
    () => [`${label}: while (d()) {`, ...block(loop), '}'],
    () => [`${label}: do {`, ...block(loop), '} while (d())'],
    () => ['try {', ...block(inner), '} catch (error) {', ...block(inner), '}'],
    () => ['try {', ...block(inner), '} finally {', ...block(inner), '}'],
    () => ['try {', ...block(inner), '} catch {', ...block(inner), '} finally {', ...block(inner), '}'],
    () => [
      'switch (list().length) {',
      '  case 0:',
      ...block(inner).map((line) => `  ${line}`),
      ...pick([['    break'], []]),
      '  case 1:',
      ...block(inner).map((line) => `  ${line}`),
      ...pick([['    break'], []]),
      ...pick([['  default:', ...block(inner).map((line) => `  ${line}`)], []]),
      '}',
    ],
    () => {
      const within = { ...context, depth: depth + 1, loops: [] }
      return [`${label}: {`, ...block(within), `  if (d()) break ${label}`, ...block(within), '}']
    },
    () => ['{', ...block(inner), '}'],
    () => [
      `class ${label} {`,
      '  x = call()',
      '  static y =',
      '    call()',
      '  static {',
      '    call()',
      '  }',
      '  get z() {',
      '    return call()',
      '  }',
      '}',
    ],
  ])()
}

const one = (context: Context): readonly string[] =>
  simple({ ...context, depth: 9 }).map((line) => `  ${line}`)

function simple(context: Context): readonly string[] {
  const { pick, kind, loops, name } = context
  const loop = loops.length > 0 ? pick(loops) : undefined
  return pick<() => readonly string[]>([
    () => ['call()'],
    () => ['call()'],
    () => [`ok(${expression(context)})`],
    () => [`var ${name()} = ${expression(context)}`],
    () => [`var ${name()} = 5`],
    () => [`var ${name()} =`, `  ${expression(context)}`],
    () => [`list().map((x) => {`, '  ok()', '  return call()', '})'],
    () => [`var ${name()} = () => {`, '  call()', '}'],
    () => [`var { x: ${name()} = call(),`, `  y: ${name()} = 2 } = {}`],
    () => ['unknown.name'],
    () => ['if (d()) return'],
    () => ['if (d()) throw new Error()'],
    () => (loop ? [`if (d()) break ${loop}`] : ['return call()']),
    () => (loop ? [`if (d()) continue ${loop}`] : ['throw 1']),
    () => (loop ? [`break ${loop}`] : ['if (d()) return 5']),
    () => (loop ? ['continue'] : ['ok()']),
    () => (kind === 'plain' ? ['ok(`x${call()}`)'] : [kind === 'generator' ? 'yield 1' : 'await wait()']),
    () => (kind === 'plain' ? ['this?.x.y()'] : [kind === 'async' ? `ok(await wait())` : 'ok(yield call())']),
    () => (kind.startsWith('async') ? ['for await (const x of list())', '  call()'] : ['call`x`']),
  ])()
}

const condition = ({ pick }: Context) => pick(['d()', 'd() && d()', 'd() || call()', '!d()', 'd() ?? call()'])

const expression = ({ pick }: Context): string =>
  pick([
    'd() && call()',
    'd() || call()',
    'd() ? call() : ok()',
    'd() ?\n    call() :\n    ok()',
    'd() ? 1 :\n    d() ?\n    call() :\n    ok()',
    'd() &&\n    call() &&\n    ok()',
    'list()[0]?.x',
    'list()[9]?.(\n    call())',
    '[call(),\n    call(),\n    ok()]',
    '{ a: d(),\n    b: call(),\n    c() {\n    return call() } }.c',
    'nothing.x ??= call()',
    'nothing.y &&=\n    call()',
  ])
    .replace(/^\{/, '({')
    .replace(/\}\.c$/, '}).c')
