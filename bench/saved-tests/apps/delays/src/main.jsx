import { createRoot } from 'react-dom/client'
import { Toaster } from 'react-hot-toast'
import { StockRoom } from './stock-room.jsx'
import './style.css'

createRoot(document.getElementById('root')).render(
  <>
    <StockRoom />
    <Toaster position="bottom-right" toastOptions={{ duration: 2000 }} />
  </>,
)
