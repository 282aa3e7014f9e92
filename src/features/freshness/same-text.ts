// Whether a text that a page received is the content of a file: decoded in any way that browsers do, and with a script that the server puts
// into documents, as those do that reload pages.

const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le']
// The texts before and after a script may be alike.
const SHIFT_LIMIT = 20

export function hasSameText(text: string, content: Uint8Array): boolean {
  return ENCODINGS.some((encoding) => {
    const file = new TextDecoder(encoding).decode(content)
    return file === text || hasScriptMore(text, file)
  })
}

// --- internal ---

function hasScriptMore(text: string, file: string): boolean {
  const length = text.length - file.length
  if (length <= 0) return false
  let shared = 0
  while (shared < file.length && text[shared] === file[shared]) shared += 1
  for (let at = shared; at >= Math.max(0, shared - SHIFT_LIMIT); at -= 1) {
    const isRest = text.endsWith(file.slice(at))
    if (isRest && isScript(text.slice(at, at + length))) return true
  }
  return false
}

// In steps that take linear time: a server may put anything into a document.
function isScript(addition: string): boolean {
  const [before = '', ...comments] = addition.split('<!--')
  const isClosed = comments.every((comment) => comment.includes('-->'))
  const code = [before, ...comments.map((comment) => comment.slice(comment.indexOf('-->') + 3))]
    .join('')
    .trim()
  return isClosed && /^<script\b/i.test(code) && /<\/script\s{0,9}>$/i.test(code)
}
