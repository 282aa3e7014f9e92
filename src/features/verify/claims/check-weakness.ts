// Whether a check would also hold on an empty page: then it says nothing of a claim.

import type { RawInput } from '../../../core/tool/tool.ts'

/** Why a check says nothing; undefined where it says something of what a page shows. */
export function weaknessOf(check: RawInput): string | undefined {
  const { text, aria, value, count, is, not, textGone } = check
  const selector = typeof check['selector'] === 'string' ? check['selector'] : undefined
  const target = selector ?? (typeof check['ref'] === 'string' ? check['ref'] : undefined)
  const isNegative = not === true || is === 'detached' || is === 'hidden' || count === 0
  const isEverywhere = selector !== undefined && matchesEmptyPage(selector)
  const content = [text, aria, value].filter((part) => typeof part === 'string' && part.trim() !== '')
  if (!isNegative && (content.length > 0 || (target !== undefined && !isEverywhere))) return undefined
  if (isNegative || textGone !== undefined)
    return 'an empty page passes this check too: check what the page shows instead'
  return isEverywhere
    ? `every page has ${selector}: check what the claim is about`
    : 'the check says nothing of what the page shows: check a text or an element'
}

// --- internal ---

/** Whether a selector names only what every document has. */
function matchesEmptyPage(selector: string): boolean {
  const [, quoted] = /^(?:page\.)?locator\(\s*["'`](.*)["'`]\s*\)$/.exec(selector.trim()) ?? []
  return (quoted ?? selector)
    .replace(/:not\([^()]*\)/g, '')
    .split(',')
    .some((one) => EMPTY_PAGE.test(one.trim()))
}

/** As CSS and as XPath. */
const EMPTY_PAGE =
  /^(?:(?:css=)?(?:(?:html|body|head|:root|\*)(?::root)?[\s>+~]*)+|(?:xpath=)?(?:\/{1,2}(?:html|body|head|\*))+)$/i
