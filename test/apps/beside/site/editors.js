// The two code editors that most applications have.

import { basicSetup, EditorView } from 'codemirror'
import * as monaco from 'monaco-editor/editor/editor.api'

const place = document.getElementById('root')
if (location.pathname === '/codemirror') {
  const view = new EditorView({ extensions: [basicSetup], parent: place })
  window.written = () => view.state.doc.toString()
} else {
  self.MonacoEnvironment = { getWorker: () => new Worker('/monaco-worker.js') }
  const editor = monaco.editor.create(place, { value: '', ariaLabel: 'Code', language: 'javascript' })
  window.written = () => editor.getValue()
}
