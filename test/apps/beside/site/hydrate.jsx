import { hydrateRoot } from 'react-dom/client'
import { Counter } from './counter.jsx'

hydrateRoot(document.getElementById('root'), <Counter />)
