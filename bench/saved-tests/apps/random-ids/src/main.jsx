import { createRoot } from 'react-dom/client'
import { Contacts } from './contacts.jsx'

createRoot(document.getElementById('root')).render(<Contacts />)
