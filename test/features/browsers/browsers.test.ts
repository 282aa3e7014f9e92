// Browsers without a network: found, packed, unpacked, fetched from a mirror. The real one is carried to a machine that has nothing but
// the C library and a shell.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { binary } from '../../support/client.ts'
import { serveSite } from '../../support/site.ts'

let root: string
const inRoot = (path: string) => join(root, path)

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-kit-')))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Runs the binary with a home of its own and nothing on its PATH. */
function run(args: string[], home: string, env: Record<string, string> = {}) {
  const ran = spawnSync(binary, args, {
    cwd: root,
    env: { HOME: inRoot(home), PATH: inRoot('none'), TMPDIR: root, ...env },
    encoding: 'utf8',
  })
  return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}

const kits = (home: string) => join(root, home, '.local/share/footlight/browsers')

/** A program that is a browser as far as packing goes: it tells a version. */
function fake(name: string): string {
  const folder = inRoot(name)
  mkdirSync(join(folder, 'data'), { recursive: true })
  writeFileSync(join(folder, 'chrome-headless-shell'), '#!/bin/sh\necho "Fake 9.8.7"\n', { mode: 0o755 })
  writeFileSync(join(folder, 'data/big.pak'), Buffer.alloc(3_000_000, 'x'))
  writeFileSync(inRoot('outside.txt'), 'from elsewhere')
  symlinkSync('data/big.pak', join(folder, 'inner'))
  symlinkSync('../outside.txt', join(folder, 'outer'))
  return join(folder, 'chrome-headless-shell')
}

describe.skipIf(process.platform !== 'linux')('a kit', () => {
  let kit: string
  beforeAll(() => {
    kit = inRoot('fake.tar.gz')
    const packed = run(['browsers', 'pack', '--executable-path', fake('fake'), '--out', kit], 'h')
    expect([packed.stderr.includes('packing chromium 9.8.7'), packed.status]).toEqual([true, 0])
    expect(packed.stdout).toContain('chromium 9.8.7 (headless shell) for linux')
  })

  test('is unpacked to where it is found without an option, and only once', () => {
    // What a run that was killed had begun goes.
    const left = join(kits('once'), '.footlight-abc')
    mkdirSync(left, { recursive: true })
    const yesterday = Date.now() / 1000 - 25 * 3600
    utimesSync(left, yesterday, yesterday)
    const first = run(['browsers', 'unpack', kit], 'once')
    const entry = join(kits('once'), 'chromium-headless-9.8.7/run')
    expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining(entry) })
    const folder = dirname(entry)
    expect(readlinkSync(join(folder, 'browser/inner'))).toBe('data/big.pak')
    expect(lstatSync(join(folder, 'browser/outer')).isFile()).toBe(true)
    expect(spawnSync(entry, ['--version'], { encoding: 'utf8' }).stdout).toBe('Fake 9.8.7\n')
    const { mtimeMs } = lstatSync(entry)
    expect(run(['browsers', 'unpack', kit], 'once').stdout).toContain('was already unpacked')
    expect(lstatSync(entry).mtimeMs).toBe(mtimeMs)
    const listed = JSON.parse(run(['browsers', 'list', '--json'], 'once').stdout)
    expect(listed.browsers[0]).toMatchObject({ browser: 'chromium', headless: entry })
    expect(listed.browsers[0].found[0]).toEqual({ path: entry, source: 'kit', version: '9.8.7' })
    expect(run(['browsers', 'list'], 'once').stdout).toContain(`* ${entry}  9.8.7  (kit)  used headless`)
    expect(readdirSync(kits('once'))).toEqual(['chromium-headless-9.8.7'])
  })

  test('that was damaged in its place is put right', () => {
    run(['browsers', 'unpack', kit], 'mend')
    const file = join(kits('mend'), 'chromium-headless-9.8.7/browser/data/big.pak')
    writeFileSync(file, 'short')
    const again = run(['browsers', 'unpack', kit], 'mend')
    expect([again.status, again.stdout.includes('already')]).toEqual([0, false])
    expect(lstatSync(file).size).toBe(3_000_000)
    expect(readdirSync(kits('mend'))).toEqual(['chromium-headless-9.8.7'])
  })

  test('goes where --dir says, and then needs its path', () => {
    const dir = inRoot('elsewhere')
    const { stdout } = run(['browsers', 'unpack', kit, '--dir', dir], 'dir')
    expect(stdout).toContain(`--executable-path ${join(dir, 'chromium-headless-9.8.7/run')}`)
    expect(existsSync(kits('dir'))).toBe(false)
  })

  test('that was cut off or changed leaves nothing', () => {
    const whole = readFileSync(kit)
    const changed = Buffer.from(whole)
    changed.fill(0, whole.length - 2000, whole.length - 1000)
    for (const bytes of [
      whole.subarray(0, whole.length / 2),
      changed,
      Buffer.from('no archive'),
      Buffer.alloc(0),
    ]) {
      writeFileSync(inRoot('bad.tar.gz'), bytes)
      const ran = run(['browsers', 'unpack', 'bad.tar.gz'], 'cut')
      expect([ran.status, ran.stdout]).toEqual([1, ''])
      expect(ran.stderr).toMatch(
        /was not unpacked: it is truncated, damaged or not a kit|its checksum differs/,
      )
      expect(readdirSync(kits('cut'))).toEqual([])
    }
  })
})

describe('a kit that somebody made', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const file = (path: string, text: string) => ({
    path,
    size: text.length,
    executable: true,
    sha256: hash(text),
  })
  const manifest = (change: object = {}) => ({
    format: 1,
    browser: 'chromium',
    shell: true,
    version: '1.0',
    platform: process.platform,
    arch: process.arch,
    entry: 'run',
    files: [file('run', 'x')],
    links: [],
    ...change,
  })
  const entry = (name: string, body: string, more: object = {}): TarEntry =>
    ({ header: { name, size: body.length, type: 'file', mode: 0o755, ...more }, body }) as TarEntry
  const described = (change?: object) => entry('kit.json', JSON.stringify(manifest(change)))

  test.each<[string, () => TarEntry[], string]>([
    ['has no manifest', () => [entry('run', 'x')], 'its first entry is not kit.json'],
    [
      'is for another platform',
      () => [described({ platform: 'plan9' }), entry('run', 'x')],
      'this machine is',
    ],
    [
      'names a path outside',
      () => [described({ files: [file('run', 'x'), file('../../evil', 'x')] })],
      'a path within the kit',
    ],
    [
      'holds a path outside',
      () => [described(), entry('run', 'x'), entry('../../../../evil', 'x')],
      'which is not in',
    ],
    ['holds an absolute path', () => [described(), entry(inRoot('evil'), 'x')], 'which is not in'],
    [
      'holds a link',
      () => [described(), entry('run', '', { type: 'symlink', linkname: '/bin/sh' })],
      'which is not in',
    ],
    [
      'links outside',
      () => [described({ links: [{ path: 'out', target: '../../..' }] }), entry('run', 'x')],
      'points out',
    ],
    ['has another checksum', () => [described(), entry('run', 'y')], 'its checksum differs'],
    [
      'lacks a file',
      () => [described({ files: [file('run', 'x'), file('more', 'x')] }), entry('run', 'x')],
      'more is missing',
    ],
    ['holds a file twice', () => [described(), entry('run', 'x'), entry('run', 'x')], 'which is not in'],
  ])('that %s is refused and leaves nothing', async (_, entries, words) => {
    writeFileSync(inRoot('made.tar.gz'), gzipSync(await packTar(entries())))
    const ran = run(['browsers', 'unpack', 'made.tar.gz'], 'made')
    expect([ran.status, ran.stdout]).toEqual([1, ''])
    expect(ran.stderr).toContain(words)
    expect(readdirSync(kits('made'))).toEqual([])
    expect(existsSync(inRoot('evil'))).toBe(false)
  })
})

test.each([
  [['browsers'], 2, 'Expected one of list, install, pack, unpack'],
  [['browsers', 'lst'], 2, 'Did you mean list?'],
  [['browsers', 'pack'], 2, 'requires --out'],
  [['browsers', 'pack', '--out', 'k', '--browser', 'webkit'], 2, 'expected chromium or firefox'],
  [['browsers', 'pack', '--out', 'k', '--executable-path', '/nowhere'], 1, 'is not executable'],
  [['browsers', 'unpack'], 2, 'requires a file'],
  [['browsers', 'unpack', 'gone.tar.gz'], 1, 'gone.tar.gz does not exist'],
  [['browsers', 'install', 'opera'], 2, 'expected chromium, firefox or webkit'],
  [['browsers', 'list', '--jsn'], 2, 'Did you mean --json?'],
])('%p exits with %p and says what to do', (args, status, words) => {
  expect(run(args, 'bad')).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(words) })
})

describe.skipIf(process.platform !== 'linux')("fetching Playwright's build from a mirror", () => {
  const mirror = async (serve: (path: string) => Buffer | undefined, use: (url: string) => Promise<void>) => {
    const site = await serveSite({}, (request, response) => {
      const body = serve(request.url ?? '')
      response.writeHead(body ? 200 : 404, { 'content-length': body?.length ?? 0 }).end(body)
    })
    await use(site.url).finally(() => site.close())
  }
  const install = async (url: string, ...more: string[]) => {
    const child = Bun.spawn([binary, 'browsers', 'install', ...more], {
      env: {
        HOME: inRoot('m'),
        PATH: inRoot('none'),
        PLAYWRIGHT_DOWNLOAD_HOST: url,
        PLAYWRIGHT_BROWSERS_PATH: inRoot('cache'),
      },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr] = [
      await new Response(child.stdout).text(),
      await new Response(child.stderr).text(),
    ]
    return { status: await child.exited, stdout, stderr }
  }

  test('a zip is unpacked where Playwright looks, once; what is wrong leaves nothing', async () => {
    const asked: string[] = []
    let zip: Buffer | undefined
    await mirror(
      (path) => (asked.push(path), zip),
      async (url) => {
        const none = await install(url)
        expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('HTTP status 404')])
        expect(none.stderr).toContain('Instead: npx -y playwright@')
        zip = Buffer.from('PK no zip')
        expect(await install(url)).toMatchObject({
          status: 1,
          stderr: expect.stringContaining('could not be unpacked'),
        })
        expect(readdirSync(inRoot('cache'))).toEqual([])

        const [, folder = ''] = /([^/]+)\.zip$/.exec(asked[0] ?? '') ?? []
        zip = zipOf({
          [`${folder}/chrome-headless-shell`]: '#!/bin/sh\necho "Fetched 1.2.3"\n',
          [`${folder}/a.pak`]: 'data',
        })
        const good = await install(url)
        expect([good.status, good.stderr]).toEqual([
          0,
          expect.stringContaining('fetching Chrome Headless Shell'),
        ])
        const [build = ''] = readdirSync(inRoot('cache'))
        const program = join(inRoot('cache'), build, folder, 'chrome-headless-shell')
        expect(good.stdout).toContain(program)
        expect(spawnSync(program, { encoding: 'utf8' }).stdout).toBe('Fetched 1.2.3\n')
        expect(readdirSync(join(inRoot('cache'), build)).sort()).toEqual(
          ['INSTALLATION_COMPLETE', folder].sort(),
        )
        const count = asked.length
        expect((await install(url)).stdout).toContain('was already installed')
        expect(asked).toHaveLength(count)
        const env = { PLAYWRIGHT_BROWSERS_PATH: inRoot('cache') }
        const [chromium] = JSON.parse(run(['browsers', 'list', '--json'], 'm', env).stdout).browsers
        expect(chromium.headless).toBe(program)

        zip = zipOf({ '../evil': 'x' })
        expect(await install(url, '--full')).toMatchObject({
          status: 1,
          stderr: expect.stringContaining('..'),
        })
        expect(existsSync(join(root, 'evil'))).toBe(false)
        expect(await install(url, 'firefox')).toMatchObject({ status: 1 })
        expect(asked.at(-1)).toContain('/builds/firefox/')
      },
    )
  })

  // Stored, not deflated, and with the modes of Unix.
  function zipOf(files: Record<string, string>): Buffer {
    const parts: Buffer[] = []
    const directory: Buffer[] = []
    let offset = 0
    for (const [name, text] of Object.entries(files)) {
      const sizes = Buffer.alloc(12)
      sizes.writeUInt32LE(Bun.hash.crc32(text), 0)
      sizes.writeUInt32LE(text.length, 4)
      sizes.writeUInt32LE(text.length, 8)
      const lengths = Buffer.alloc(4)
      lengths.writeUInt16LE(name.length, 0)
      const common = Buffer.concat([Buffer.from([20, 0, 0, 0, 0, 0, 0, 0, 0, 0]), sizes, lengths])
      parts.push(Buffer.from('PK\x03\x04'), common, Buffer.from(name), Buffer.from(text))
      const rest = Buffer.alloc(14)
      rest.writeUInt32LE((0o100755 << 16) >>> 0, 6)
      rest.writeUInt32LE(offset, 10)
      directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, Buffer.from(name))
      offset += 30 + name.length + text.length
    }
    const listed = Buffer.concat(directory)
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 'latin1')
    end.writeUInt16LE(Object.keys(files).length, 8)
    end.writeUInt16LE(Object.keys(files).length, 10)
    end.writeUInt32LE(listed.length, 12)
    end.writeUInt32LE(offset, 16)
    return Buffer.concat([...parts, listed, end])
  }
})

describe('a machine without a network, a browser or its libraries', () => {
  const may = spawnSync('unshare', [
    '-rmnp',
    '--fork',
    'sh',
    '-c',
    'mount -t proc none /proc && ip link set lo up',
  ])
  const shell = spawnSync('which', ['chromium-headless-shell'], { encoding: 'utf8' }).stdout.trim()
  const why =
    may.status !== 0 ? 'unshare is not permitted here' : shell === '' ? 'no headless shell is installed' : ''

  test.skipIf(why !== '')(
    `runs the demo with the browser of a kit${why && `: skipped, ${why}`}`,
    () => {
      const bare = inRoot('bare')
      for (const folder of ['bin', 'tmp', 'home', 'proc', 'dev'])
        mkdirSync(join(bare, folder), { recursive: true })
      const needed = [binary, '/bin/sh'].flatMap((program) => librariesOf(program))
      const also = ['libresolv.so.2', 'librt.so.1', 'libutil.so.1', 'libnss_files.so.2', 'libanl.so.1']
      const beside = also.map((name) =>
        join(dirname(needed.find((path) => /\/libc\.so/.test(path)) ?? '/lib'), name),
      )
      for (const path of [...needed, ...beside.filter(existsSync)]) {
        mkdirSync(join(bare, dirname(path)), { recursive: true })
        copyFileSync(path, join(bare, path))
      }
      cpSync(realpathSync('/bin/sh'), join(bare, 'bin/sh'))
      copyFileSync(binary, join(bare, 'bin/footlight'))
      chmodSync(join(bare, 'bin/footlight'), 0o755)
      const packed = spawnSync(binary, [
        'browsers',
        'pack',
        '--out',
        join(bare, 'kit.tar.gz'),
        '--executable-path',
        shell,
      ])
      expect(packed.status).toBe(0)
      const script = `ip link set lo up && echo "routes: $(ip route)" && mount -t proc none ${bare}/proc && mount --rbind /dev ${bare}/dev &&
      exec chroot ${bare} /bin/sh -c "cd /tmp && footlight browsers unpack /kit.tar.gz && footlight demo && footlight doctor --json"`
      const ran = spawnSync('unshare', ['-rmnp', '--fork', '--kill-child', 'sh', '-c', script], {
        env: { HOME: '/home', PATH: `${process.env['PATH']}:/bin` },
        encoding: 'utf8',
        timeout: 300_000,
      })
      expect([
        ran.status,
        ran.stderr.replace(/^(footlight: unpacking|\[warn\] Chromium runs without).*\n|^\n/gm, ''),
      ]).toEqual([0, ''])
      expect(ran.stdout).toContain('routes: \n')
      expect(ran.stdout).toContain('Session s1 is open in chromium')
      expect(ran.stdout).toContain('confirmed by the page')
      const { ok, checks } = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '')
      expect(ok).toBe(true)
      const found = (name: string) => checks.find(({ check }: { check: string }) => check === name).found
      expect(found('chromium (used)')).toContain('/home/.local/share/footlight/browsers/chromium-headless-')
      expect(found('fonts')).toContain('the unpacked browser has one')
    },
    330_000,
  )
})

const librariesOf = (program: string): string[] =>
  [...spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.matchAll(/(\/\S+) \(0x/g)].map(
    (match) => match[1] ?? '',
  )
