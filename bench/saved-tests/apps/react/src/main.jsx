import { createRoot } from 'react-dom/client'
import { CssBaseline } from '@mui/material'
import { Board } from './board.jsx'

createRoot(document.getElementById('root')).render(
  <>
    <CssBaseline />
    <Board />
  </>,
)
