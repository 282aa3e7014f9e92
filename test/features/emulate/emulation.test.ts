import { describe, expect, test } from 'bun:test'
import { mergeSettings, parseReset, pickSettings } from '../../../src/features/emulate/emulation.ts'

describe('settings after a change', () => {
  const current = { viewport: { width: 1, height: 2 }, userAgent: 'Mine', offline: true, locale: 'de-DE' }
  test('a change replaces what it names', () => {
    expect(mergeSettings(current, { userAgent: 'Other', colorScheme: 'dark' })).toEqual({
      ...current,
      userAgent: 'Other',
      colorScheme: 'dark',
    })
  })
  test.each([
    [{ offline: true }, { offline: false }],
    [{ cpuThrottlingRate: 4 }, { cpuThrottlingRate: 1 }],
    [{ headers: { a: 'b' } }, { headers: {} }],
    [{ reducedMotion: true }, { reducedMotion: false }],
  ])('%j and then %j is nothing', (before, change) => {
    expect(mergeSettings(before, change)).toEqual({})
  })
  test('a device brings its own viewport and user agent, unless the same change has others', () => {
    expect(mergeSettings(current, { device: 'Pixel 7' })).toEqual({
      offline: true,
      locale: 'de-DE',
      device: 'Pixel 7',
    })
    expect(mergeSettings(current, { device: 'Pixel 7', userAgent: 'Other' })).toMatchObject({
      device: 'Pixel 7',
      userAgent: 'Other',
    })
  })
  test('reset comes before the change', () => {
    expect(mergeSettings(current, { reset: ['offline', 'userAgent'], userAgent: 'Other' })).toEqual({
      viewport: current.viewport,
      userAgent: 'Other',
      locale: 'de-DE',
    })
  })
  test('permissions are not merged: they belong to an origin', () => {
    expect(mergeSettings({}, { permissions: ['camera'] })).toEqual({})
  })
  test('one group of settings is taken from another value', () => {
    expect(pickSettings(current, { userAgent: 'Other', offline: false }, ['viewport', 'userAgent'])).toEqual({
      userAgent: 'Other',
      offline: true,
      locale: 'de-DE',
    })
  })
})

describe('reset', () => {
  const valueOf = (text: string) => {
    const result = parseReset(text)
    return result.ok ? result.value : result.error
  }
  test('takes names, separated by commas or spaces', () => {
    expect(valueOf('viewport')).toEqual(['viewport'])
    expect(valueOf('media, contrast network')).toEqual(['media', 'contrast', 'network'])
  })
  test('all is everything', () => {
    expect(valueOf('all')).toContain('cpuThrottlingRate')
    expect(valueOf('all')).toHaveLength(13)
  })
  test.each(['', ' , ', 'constructor', 'viewprot'])('%j is refused', (text) => {
    expect(valueOf(text)).toMatchObject({ code: 'INVALID_PARAMETERS', field: 'reset' })
  })
  test('a misspelled name gets a suggestion', () => {
    expect(valueOf('viewprot')).toMatchObject({ hint: 'Did you mean "viewport"?' })
  })
})
