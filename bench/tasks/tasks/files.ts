// Download a template, upload a filled copy: the site checks that the file was fetched and what the uploaded one contains.

import { page } from '../../../test/support/site.ts'
import { button, click, link, type Target, type Task } from '../task.ts'

/** The file that is uploaded, in the working directory of every server. */
export const report = { name: 'report.csv', text: 'month,total\nOctober,4711\n' }

const app = page(
  `<h1>Monthly report</h1><p><a href="/template.csv" download>Download template</a>
  <form><p><input type="file" aria-label="Report file"><p><button>Upload</button></form><p role="status"></p><script>
  document.querySelector('form').onsubmit = async (event) => {
    event.preventDefault()
    const [file] = document.querySelector('input').files
    const answer = file && (await fetch('/upload?name=' + file.name, { method: 'post', body: await file.text() }))
    document.querySelector('[role=status]').textContent = answer ? await answer.text() : 'Choose a file first'
  }
</script>`,
  'Monthly report',
)

// Browsers show a file field as a button.
const field: Target = { role: 'button', name: 'Report file' }

export const files: Task = {
  name: 'download and upload',
  path: '/',
  rounds: [
    [
      { kind: 'download', target: link('Download template') },
      { kind: 'upload', target: field, path: report.name },
      click(button('Upload')),
    ],
  ],
  result: /report\.csv was received/,
  create() {
    let [downloaded, uploaded] = [false, '']
    return {
      isDone: () => downloaded && uploaded === report.text,
      routes: {
        '/': app,
        '/template.csv'(_, response) {
          downloaded = true
          const disposition = 'attachment; filename="template.csv"'
          response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': disposition })
          response.end('month,total\n')
        },
        async '/upload'(request, response) {
          uploaded = ''
          for await (const chunk of request) uploaded += String(chunk)
          const name = new URL(request.url ?? '', 'http://site').searchParams.get('name')
          response.end(`${name} was received`)
        },
      },
    }
  },
}
