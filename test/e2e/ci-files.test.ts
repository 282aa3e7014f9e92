// The files that docs/ci.md gives to copy: the page shows them as they are, and their commands do in a repository what the page says.

import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binary } from '../support/client.ts'
import { openShell } from '../support/shell.ts'

const root = join(import.meta.dir, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const github = read('deploy/ci/github.yml')
const gitlab = read('deploy/ci/gitlab.yml')
const checks = read('deploy/ci/checks/cart.txt')

test.each(['deploy/ci/github.yml', 'deploy/ci/gitlab.yml', 'deploy/ci/checks/cart.txt'])(
  'docs/ci.md shows %s',
  (path) => {
    const [, shown] =
      new RegExp(`<!-- ${path} -->\n\n\`\`\`\\w+\n([^]*?)\`\`\``).exec(read('docs/ci.md')) ?? []
    expect(shown).toBe(read(path))
  },
)

const githubSteps: readonly { run?: string }[] = (Bun.YAML.parse(github) as any).jobs.verify.steps
const gitlabJob = (Bun.YAML.parse(gitlab) as any).footlight

/** The commands of each file that come after the installation. */
const scripts = {
  github: githubSteps.find(({ run = '' }) => run.includes('footlight up'))?.run ?? '',
  gitlab: (gitlabJob.script as string[]).join('\n'),
}

const page = `<!doctype html><title>Shop</title><h1>Total</h1>
<button id="add">Add to cart</button><p id="state"></p><script type="module" src="/cart.js"></script>`

const server = `import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
createServer((request, response) => {
  const script = request.url === '/cart.js'
  response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
  response.end(readFileSync(script ? 'cart.js' : 'index.html'))
}).listen(process.env.PORT, '127.0.0.1')
`

const before = `document.querySelector('#add').onclick = () => {
  document.querySelector('#state').textContent = 'One'
}
`

/** A repository with a change on a branch: what the button does, and where it is not tried, a second function. */
function prepareRepository(folder: string, change: string): string {
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('package.json', JSON.stringify({ type: 'module', scripts: { dev: 'node server.js' } }))
  write('server.js', server)
  write('index.html', page)
  write('cart.js', before)
  write('checks/cart.txt', checks)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'before')
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  const base = git('rev-parse', 'HEAD')
  git('switch', '-qc', 'change')
  write('cart.js', change)
  git('commit', '-qam', 'change')
  return base
}

const changed = before.replace("'One'", "'1 item'")
const outcomes = [
  ['each changed line ran', changed, 0, 'PASS'],
  [
    'a changed line did not run',
    `${changed}export const empty = () => {\n  return 'Nothing'\n}\n`,
    5,
    'UNVERIFIED',
  ],
  ['a check waits in vain', before.replace("'One'", "'none'"), 124, ''],
] as const

test.each(
  Object.entries(scripts).flatMap(([name, script]) =>
    outcomes.map((outcome) => [name, ...outcome, script] as const),
  ),
)(
  '%s: %s',
  async (_, __, change, code, verdict, script) => {
    const shell = openShell()
    try {
      const base = prepareRepository(shell.folder, change)
      const bin = join(shell.folder, '.git/bin')
      mkdirSync(bin)
      symlinkSync(binary, join(bin, 'footlight'))
      const summary = join(shell.folder, '.git/summary.md')
      writeFileSync(summary, '')
      const env = {
        ...shell.env,
        PATH: `${bin}:${shell.env['PATH']}`,
        GITHUB_BASE_REF: 'main',
        GITHUB_STEP_SUMMARY: summary,
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      }
      const job = spawnSync('bash', ['-e', '-c', script], { cwd: shell.folder, env, encoding: 'utf8' })
      expect([job.status, job.status === code ? '' : `${job.stdout}\n${job.stderr}`]).toEqual([code, ''])
      expect(`${job.stdout}${readFileSync(summary, 'utf8')}`).toContain(verdict)
    } finally {
      await shell.close()
    }
  },
  240_000,
)
