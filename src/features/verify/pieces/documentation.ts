// Text for people: nothing of it runs.

/** Whether a file is documentation, as far as its text tells: it has no code of its own outside of examples. */
export function isDocumentation(path: string, text: string | undefined): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  // What git reads tells nothing to anyone else.
  if (name.startsWith('.git')) return true
  return DOCUMENT.test(name) && !CODE.test((text ?? '').replace(EXAMPLE, ''))
}

// --- internal ---

/** By its markup. A name alone tells nothing: a program reads VERSION, and builds by BUILD. */
const DOCUMENT = /\.(?:md|markdown|rst|adoc)$/
const EXAMPLE = /^(?:```|~~~)[^]*?^(?:```|~~~)|`[^`\n]*`/gm
/** What frameworks run in Markdown: scripts, components, expressions and modules. */
const CODE = /<script|<[A-Z]|\{\{|^(?:import|export)\s/m
