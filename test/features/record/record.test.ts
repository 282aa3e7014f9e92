// A person records a test in a window, on a display of its own. What is written runs in Playwright Test.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { binary, patience } from '../../support/client.ts'
import { type Display, startDisplay } from '../../support/display.ts'
import { trace, until } from '../../support/leftovers.ts'
import { type Person, sitDown, writeOpenChromium } from '../../support/person.ts'
import { page, serveSite, type Site } from '../../support/site.ts'
import { closeWindows } from '../../support/x11.ts'

const folder = mkdtempSync(join(tmpdir(), 'fl-record-'))
const SHOP = page(
  `<h1>Shop</h1><form action="/order"><label>Name <input name="name"></label>
  <label>Password <input type="password" name="password"></label><label><input type="checkbox" name="gift"> As a gift</label>
  <label for="size">Size</label><select id="size" name="size"><option>Small<option>Large</select>
  <label>Photo <input type="file" name="photo"></label><button>Order</button></form>
  <button id="edit" ondblclick="document.querySelector('output').textContent = 'Edited'">Edit</button>
  <button id="coupon" onclick="document.querySelector('output').textContent = 'Coupon ' + prompt('Code?')">Coupon</button>
  <a href="/help" target="_blank">Help</a> <iframe src="/card" title="Card"></iframe>
  <div id="card" draggable="true">Card 1</div><div id="done" aria-label="Done" role="list" style="height:40px" ondragover="event.preventDefault()" ondrop="this.innerHTML = '<p>Card 1 is done</p>'"></div>
  <output></output>`,
  'Shop',
)
let site: Site
let display: string
let server: Display
let browser: Awaited<ReturnType<typeof writeOpenChromium>>

beforeAll(async () => {
  site = await serveSite({
    '/': SHOP,
    '/order': (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost')
      const isPaid = searchParams.get('password') === 'tr0ub4dor'
      response.end(page(`<h1>Thanks, ${searchParams.get('name')}</h1><p>${isPaid ? 'Paid' : 'Not paid'}</p>`))
    },
    // A replay does not find what the person has found.
    '/once': (_, response) =>
      response.end(
        page(site.hits.filter((path) => path === '/once').length > 1 ? '' : '<button>Once</button>'),
      ),
    // A replay waits for it for good.
    '/held': (_, response) => {
      const isFirst = site.hits.filter((path) => path === '/held').length === 1
      if (isFirst) response.end(page('<button>Held</button>'))
    },
    '/help': page('<h1>Help</h1><button onclick="window.close()">Agree</button>', 'Help'),
    '/card': page('<button onclick="this.textContent = `Checked`">Check card</button>'),
  })
  // It writes the number of its display once it accepts connections.
  server = await startDisplay('1400x900')
  display = server.name
  browser = await writeOpenChromium(folder)
}, 300_000)

afterAll(async () => {
  await server.stop()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

function startRecording(args: readonly string[], env: Record<string, string> = { DISPLAY: display }) {
  const left = trace()
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...rest } = process.env
  const child = Bun.spawn([binary, 'record', ...args], {
    cwd: folder,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...rest, ...patience, ...left.env, XDG_STATE_HOME: folder, ...env },
  })
  let errors = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stderr) errors += decoder.decode(chunk, { stream: true })
  })()
  return {
    child,
    left,
    /** Waits for a line about an action. */
    async notices(line: string): Promise<void> {
      if (await until(() => errors.split('\n').includes(`  ${line}`))) return
      throw new Error(`${line} was not noticed:\n${errors}`)
    },
    async finish() {
      const [output, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited, reading])
      await left.expectNothing()
      return { output, errors, exitCode }
    },
  }
}

/** Does something, and waits for the line about it. */
type Doing = (line: string, work: () => Promise<void>) => Promise<void>

async function shop(person: Person, noticed: Doing): Promise<void> {
  await person.click('[name=name]')
  await noticed('fill textbox "Name" with "Ada"', async () => {
    await person.type('Ada')
    await person.press('Tab')
  })
  await noticed('fill textbox "Password" with •••', async () => {
    await person.type('tr0ub4dor')
    await person.press('Tab')
  })
  // On the text of the label.
  await noticed('check checkbox "As a gift"', () => person.click('label:has([name=gift])', { at: [60, 10] }))
  await person.evaluate(`document.querySelector('#size').focus()`)
  await noticed('select "Large" in combobox "Size"', () => person.press('ArrowDown'))
  await noticed('double-click button "Edit"', () => person.click('#edit', { count: 2 }))
  await noticed('click button "Check card"', () => person.click('iframe', { at: [40, 20] }))
  await noticed(`drag getByText('Card') to list "Done"`, () => person.drag('#card', '#done'))
  await noticed('click link "Help"', () => person.click('[href="/help"]'))
  await noticed('a window was opened: t2', () => person.turnTo('/help'))
  await person.seeNoticed()
  await noticed('window t2 has closed', () => person.click('button').catch(() => {}))
  await person.turnTo(new URL(site.url).host)
}

test('what a person does in a window is written as a test', async () => {
  const { child, notices, finish } = startRecording([site.url, '--executable-path', browser.path])
  const person = await sitDown(browser.port, new URL(site.url).host)
  await person.seeNoticed()
  const noticed: Doing = async (line, work) => {
    await work()
    await notices(line)
  }
  await shop(person, noticed)
  const clicking = person.click('#coupon')
  await notices('click button "Coupon"')
  await noticed('accept the dialog with "HALF"', async () => {
    await until(() =>
      person.send('Page.handleJavaScriptDialog', { accept: true, promptText: 'HALF' }).then(
        () => true,
        () => false,
      ),
    )
    await clicking
  })
  await person.click('[name=name]')
  await noticed('press Enter in textbox "Name"', () => person.press('Enter'))
  await person.see(`document.querySelector('h1')?.textContent === 'Thanks, Ada'`)
  person.leave()
  void child.stdin.write('\n')
  const { output, errors, exitCode } = await finish()
  expect([exitCode, errors]).toEqual([0, expect.not.stringContaining('tr0ub4dor')])
  // By the browser of the window and by those of the replays.
  expect(errors.split('runs without its sandbox').length).toBeLessThanOrEqual(2)
  expect(output).toContain('13 actions')
  expect(output).toContain('needs these environment variables: PASSWORD')
  const [path = ''] = output.split(':')
  const spec = readFileSync(path, 'utf8')
  expect(spec).not.toContain('tr0ub4dor')
  for (const line of [
    `.getByRole('textbox', { name: 'Name' }).fill('Ada')`,
    `.fill(process.env.PASSWORD!)`,
    `.getByRole('checkbox', { name: 'As a gift' }).check()`,
    `.selectOption('Large')`,
    `.getByRole('button', { name: 'Edit' }).dblclick()`,
    `.contentFrame()`,
    `.dragTo(page.getByRole('list', { name: 'Done' }))`,
    `page.waitForEvent('popup')`,
    `popup.getByRole('button', { name: 'Agree' }).click()`,
    `.then((dialog) => dialog.accept('HALF'))`,
    `.getByRole('textbox', { name: 'Name' }).press('Enter')`,
    `toBeVisible()`,
  ])
    expect(spec).toContain(line)
  // The order is an effect of Enter.
  expect(spec.match(/goto/g)).toHaveLength(1)
}, 120_000)

test('checks of the toolbar, a file, an address that is typed; the end is the end of the window', async () => {
  const { child, notices, finish } = startRecording([
    site.url,
    ...['--executable-path', browser.path, '--save', 'e2e/shop.spec.ts', '--name', 'shop has a heading'],
  ])
  const person = await sitDown(browser.port, new URL(site.url).host)
  await person.seeNoticed()
  const photo = join(folder, 'photo.txt')
  writeFileSync(photo, 'a photo')
  const { root } = await person.send('DOM.getDocument')
  const { nodeId } = await person.send('DOM.querySelector', { nodeId: root.nodeId, selector: '[name=photo]' })
  await person.send('DOM.setFileInputFiles', { nodeId, files: [photo] })
  await notices('choose "photo.txt" for button "Photo"')
  await person.choose('Assert visibility')
  await person.click('h1')
  await notices('check that heading "Shop" is visible')
  await person.seeRecording()
  await person.click('[name=name]')
  // What was typed arrives together with the choice of the tool, as on a slow machine.
  child.kill('SIGSTOP')
  await person.type('Ada')
  await person.clickTitle('Assert value')
  child.kill('SIGCONT')
  await person.seeChosen('Assert value')
  await person.click('[name=name]')
  await notices('check that textbox "Name" has the value "Ada"')
  await person.seeRecording()
  await person.choose('Assert text')
  await person.click('#edit')
  await person.clickTitle('Accept')
  await notices('check that button "Edit" has the text "Edit"')
  await person.seeRecording()
  await person.send('Page.navigate', { url: `${site.url}/help`, transitionType: 'typed' })
  await notices(`go to ${site.url}/help`)
  person.leave()
  expect(closeWindows(display)).toBeGreaterThan(0)
  const { output, errors, exitCode } = await finish()
  expect([exitCode, output, errors]).toEqual([
    0,
    expect.stringContaining('e2e/shop.spec.ts: '),
    expect.anything(),
  ])
  const spec = readFileSync(join(folder, 'e2e/shop.spec.ts'), 'utf8')
  for (const line of [
    `test('shop has a heading'`,
    `.setInputFiles(`,
    `files/photo.txt`,
    `await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible()`,
    `.toHaveValue('Ada')`,
    `.toContainText('Edit')`,
    `/help'`,
  ])
    expect(spec).toContain(line)
  expect(spec.match(/goto/g)).toHaveLength(2)
  expect(readFileSync(join(folder, 'e2e/files/photo.txt'), 'utf8')).toBe('a photo')
}, 120_000)

test('Ctrl+C while it records, and a terminal that is closed while it replays, save nothing', async () => {
  for (const [path, signal, code] of [
    ['/', 'SIGINT', 130],
    ['/held', 'SIGHUP', 129],
  ] as const) {
    const refused = startRecording([
      `${site.url}${path}`,
      ...['--executable-path', browser.path, '--save', 'refused/no.spec.ts'],
    ])
    const person = await sitDown(browser.port, new URL(site.url).host)
    await person.seeNoticed()
    await person.click('button')
    await refused.notices(path === '/' ? 'click button "Order"' : 'click button "Held"')
    person.leave()
    if (path === '/held') {
      void refused.child.stdin.write('\n')
      expect(await until(() => site.hits.filter((hit) => hit === '/held').length > 1)).toBe(true)
    }
    refused.child.kill(signal)
    const { exitCode, output, errors } = await refused.finish()
    expect([exitCode, output, errors]).toEqual([code, '', expect.stringMatching(/nothing was saved\n$/)])
    expect(existsSync(join(folder, 'refused'))).toBe(false)
  }
}, 120_000)

test('what cannot be done fails with the reason, and nothing is left of a window that is killed', async () => {
  writeFileSync(join(folder, 'there.spec.ts'), '')
  for (const [args, code, text] of [
    [[], 2, 'expected one address'],
    [['/cart'], 2, 'expected one address'],
    [[site.url, '--cwd', folder], 2, '--command, which is missing'],
    [[site.url, '--save', 'there.spec.ts'], 1, 'which exists'],
    [[site.url, '--save', 'shop.ts'], 1, '.spec.ts'],
    [[site.url, '--storage-state', 'there.spec.ts'], 1, 'has saved'],
  ] as const) {
    const { exitCode, errors } = await startRecording(args).finish()
    expect([args, exitCode, errors]).toEqual([args, code, expect.stringContaining(text)])
  }
  const once = startRecording([
    `${site.url}/once`,
    ...['--executable-path', browser.path, '--save', 'once.spec.ts', '--action-timeout', '500'],
  ])
  const visitor = await sitDown(browser.port, '/once')
  await visitor.seeNoticed()
  await visitor.click('button')
  await once.notices('click button "Once"')
  visitor.leave()
  void once.child.stdin.write('\n')
  const { exitCode, errors } = await once.finish()
  expect([exitCode, errors]).toEqual([1, expect.stringContaining('once.spec.ts was written, but it fails')])
  expect(readFileSync(join(folder, 'once.spec.ts'), 'utf8')).toMatch(
    /^\/\/ A replay of this recording failed:\n[^]*getByRole\('button', { name: 'Once' }\)\.click/,
  )
  const killed = startRecording([site.url, '--executable-path', browser.path])
  const person = await sitDown(browser.port, new URL(site.url).host)
  await person.seeNoticed()
  person.leave()
  killed.child.kill('SIGKILL')
  await killed.finish()
}, 120_000)
