import { install } from './install.ts'

// dist/agent-eyes.js: snapshots only
install()
