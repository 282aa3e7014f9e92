import * as monaco from 'monaco-editor/editor/editor.api.js'
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker'
import { useEffect, useRef } from 'react'

self.MonacoEnvironment = { getWorker: () => new EditorWorker() }

export function Editor() {
  const place = useRef(null)
  useEffect(() => {
    const editor = monaco.editor.create(place.current, { value: 'const a = 1', ariaLabel: 'Code' })
    const shown = document.getElementById('code')
    editor.onDidChangeModelContent(() => (shown.textContent = editor.getValue()))
    return () => editor.dispose()
  }, [])
  return (
    <section>
      <div ref={place} id="editor" style={{ height: 120 }} />
      <output id="code" />
    </section>
  )
}
