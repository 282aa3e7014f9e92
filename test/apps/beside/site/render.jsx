import { renderToString } from 'react-dom/server'
import { Counter } from './counter.jsx'

export const html = renderToString(<Counter />)
