import { install } from '../runtime/install.ts'

// dist/agent-eyes.js: it can look, and nothing else
install()
