import { install } from './install.ts'

// dist/agent-eyes.js: it can look, and nothing else
install()
