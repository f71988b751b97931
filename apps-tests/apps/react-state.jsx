import { createRoot } from 'react-dom/client'

export const show = app => createRoot(document.getElementById('app')).render(app)
