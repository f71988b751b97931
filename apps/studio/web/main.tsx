import './app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { exchangeToken } from './api/auth.ts'
import { queries } from './api/client.ts'
import { App } from './app.tsx'
import { applyTheme } from './shell/preferences.ts'

applyTheme()
await exchangeToken()
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>,
  )
}
