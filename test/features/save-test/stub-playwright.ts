// Runs the text of a test against pages that accept every call, to see that it is valid code and what it does.

/** A call of a method, such as `page.getByLabel.fill`, with its arguments. */
export interface StubCall {
  readonly path: string
  readonly args: readonly unknown[]
}

/** Runs a test to its end and returns all calls. Throws if it is not valid or uses a name that is not there. */
export async function runWithStubs(
  text: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly StubCall[]> {
  const calls: StubCall[] = []
  const running: unknown[] = []

  function stub(path: string): unknown {
    const target = () => {}
    return new Proxy(target, {
      get(_, name) {
        if (name === 'then') return undefined
        if (name === Symbol.toPrimitive) return () => path
        if (name === Symbol.iterator) return path.endsWith('.credentials.get') ? () => [].values() : undefined
        return stub(`${path}.${String(name)}`)
      },
      apply(_, __, args: unknown[]) {
        calls.push({ path, args })
        for (const argument of args)
          if (isOwnFunction(argument)) running.push(argument(stub('argument'), stub('argument')))
        // An event is a promise that a test may go on with.
        return path.endsWith('.waitForEvent') ? Promise.resolve(stub('argument')) : stub(path)
      },
      ownKeys: () => ['prototype'],
    })
  }

  const run = async (name: string, ...args: unknown[]) => {
    calls.push({ path: name, args })
    const body = args.at(-1)
    if (!isOwnFunction(body)) return undefined
    const fixtures = { page: stub('page'), context: stub('context') }
    const result = name === 'test.step' ? body() : body(fixtures, { file: '/tests/a.spec.ts' })
    running.push(result)
    return result
  }
  const test = Object.assign((...args: unknown[]) => run('test', ...args), {
    step: (...args: unknown[]) => run('test.step', ...args),
    use: (options: unknown) => void calls.push({ path: 'test.use', args: [options] }),
    setTimeout: (ms: number) => void calls.push({ path: 'test.setTimeout', args: [ms] }),
  })
  const modules: Readonly<Record<string, object>> = {
    '@playwright/test': {
      test,
      expect: stub('expect'),
      devices: {},
      defineConfig: (config: unknown) => config,
    },
    'node:path': { join: (...parts: string[]) => parts.join('/'), dirname: () => '/tests' },
  }
  const script = new Bun.Transpiler({ loader: 'ts' })
    .transformSync(text)
    .replaceAll(/import (\{[^}]*\}) from ("[^"]*");/g, 'const $1 = modules[$2];')
    .replace('export default', 'return')
  const start = new Function('modules', 'process', 'setTimeout', 'Math', `'use strict';${script}`)
  start(modules, { env: environment }, (resolve: () => void) => resolve(), Object.create(Math))
  while (running.length > 0) await running.shift()
  return calls
}

const isOwnFunction = (value: unknown): value is (...args: unknown[]) => unknown =>
  typeof value === 'function' && /=>/.test(Function.prototype.toString.call(value))
