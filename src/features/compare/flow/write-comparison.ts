// The files of a comparison: the page, the Markdown for a pull request, and the pictures that it shows.

import { createHash } from 'node:crypto'
import type { Outcome } from '../../../core/base/failure.ts'
import type { Image } from '../../../core/base/image.ts'
import { map } from '../../../core/base/result.ts'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import type { ChangedFile } from '../../lib/changes/changed-file.ts'
import { pictureOf } from '../../lib/html/report.ts'
import type { Comparison } from '../differences/comparison.ts'

interface WrittenComparison {
  readonly comparison: Comparison
  readonly changed: readonly ChangedFile[]
  /** Of the steps whose pictures differ. */
  readonly pictures: ReadonlyMap<number, { readonly base?: Image; readonly current?: Image }>
}

export async function writeComparison(
  { comparison, changed, pictures }: WrittenComparison,
  { folder, redactor }: Pick<OpenSession, 'folder' | 'redactor'>,
): Promise<Outcome<{ html: string; md: string }>> {
  const [{ pickShown, renderComparison }, { comparisonMarkdown }] = await Promise.all([
    import('../differences/render-comparison.ts'),
    import('../differences/comparison-markdown.ts'),
  ])
  const names = new Map<number, { base: string; current: string }>()
  for (const [step, { base, current }] of pictures) {
    if (!base || !current) continue
    const before = await folder.write(`step-${step}-base.png`, base.bytes)
    const after = await folder.write(`step-${step}-current.png`, current.bytes)
    if (!before.ok || !after.ok) continue
    names.set(step, { base: before.value.name, current: after.value.name })
  }
  const stepPictures = new Map(
    [...pictures].map(([step, { base, current }]) => [
      step,
      { base: base && pictureOf(base), current: current && pictureOf(current) },
    ]),
  )
  const page = {
    comparison,
    pictures: stepPictures,
    changed: redactor.redactData(pickShown(comparison, changed)),
  }
  const html = await folder.write('compare.html', new TextEncoder().encode(renderComparison(page, hashOf)))
  if (!html.ok) return html
  const markdown = new TextEncoder().encode(comparisonMarkdown(comparison, names))
  return map(await folder.write('compare.md', markdown), ({ path }) => ({ html: html.value.path, md: path }))
}

// --- internal ---

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
