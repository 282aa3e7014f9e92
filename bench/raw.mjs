// The floor: what it takes to open one page with Playwright and nothing else.
import process from 'node:process'
import { chromium } from 'playwright'

const [executablePath, url] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.env.FOOTLIGHT_ROOT !== '1' })
const page = await (await browser.newContext()).newPage()
await page.goto(url)
process.stdout.write(`${await page.title()}\n`)
await browser.close()
