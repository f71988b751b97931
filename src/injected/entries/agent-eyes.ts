import { install } from '../runtime/install.ts'

// dist/agent-eyes.js: snapshots only
install()
