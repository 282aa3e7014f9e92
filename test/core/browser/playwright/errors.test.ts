import { expect, test } from 'bun:test'
import { browserError, isUnsupported } from '../../../../src/core/browser/playwright/errors.ts'

test.each([
  ['unknown command\nMessage: emulation.setNetworkConditions', true],
  ['unsupported operation\nMessage: no geolocation', true],
  ["'Emulation.setGeolocationOverride' wasn't found", true],
  ['Method not implemented.', true],
  ['Geolocation is not supported', true],
  ['Invalid parameters: latitude', false],
  ['Target page, context or browser has been closed', false],
])('a command that the browser lacks: %s', (message, isLacking) => {
  expect(isUnsupported(new Error(`Protocol error (x.y): ${message}`))).toBe(isLacking)
})

test('no failure has the name of a command of the protocol', () =>
  expect(
    browserError(new Error('page.screenshot: Protocol error (Page.captureScreenshot): Unable to capture')),
  ).toEqual({ code: 'BROWSER_ERROR', text: 'Unable to capture' }))
