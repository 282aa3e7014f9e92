// A small form, and 17 calls of an agent that fills it in, makes a mistake and finds out what happened.

import { page } from './site.ts'

export const smallForm = page(
  `<h1>Order</h1><form>
<label>Name <input id="name"></label>
<label>E-mail <input id="email" type="email"></label>
<label>Country <select id="country"><option>Austria</option><option>Belgium</option></select></label>
<label><input id="terms" type="checkbox"> I accept the terms</label>
<button id="send">Send</button></form><p id="result" role="status"></p>
<script>
document.forms[0].onsubmit = (event) => {
  event.preventDefault()
  console.log('sent', document.querySelector('#name').value)
  document.querySelector('#result').textContent = 'Thank you'
}
</script>`,
  'Small form',
)

export interface ScriptCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The calls between create_session and close_session. The second click fails. */
export const callsOn = (url: string): readonly ScriptCall[] => [
  { tool: 'navigate', input: { url } },
  { tool: 'snapshot', input: {} },
  { tool: 'type', input: { selector: '#name', text: 'Ada Lovelace' } },
  { tool: 'type', input: { selector: '#email', text: 'ada@example.org' } },
  { tool: 'select', input: { selector: '#country', values: ['Belgium'] } },
  { tool: 'click', input: { selector: '#terms' } },
  { tool: 'click', input: { selector: '#submit', timeout: 300 } },
  { tool: 'click', input: { selector: '#send' } },
  { tool: 'wait_for', input: { text: 'Thank you' } },
  { tool: 'exists', input: { selector: '#result' } },
  { tool: 'get_content', input: { selector: '#result', format: 'text' } },
  { tool: 'evaluate', input: { script: 'document.title' } },
  { tool: 'console_messages', input: {} },
  { tool: 'network_requests', input: {} },
  { tool: 'history', input: { direction: 'reload' } },
]
