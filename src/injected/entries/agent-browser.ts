import { watchRequests } from '../synthetic/pending-requests.ts'
import { install } from './install.ts'
import { syntheticMethods } from './synthetic-methods.ts'

// dist/agent-browser.js: snapshots, and actions made of synthetic events
install({ watchRequests, methods: syntheticMethods })
