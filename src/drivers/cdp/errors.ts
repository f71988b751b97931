export { PagehandError } from '../../contract/pagehand-error.ts'
