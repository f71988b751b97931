import { call, close, type ScriptedModel, scriptedModel, type Turn } from './scripted-model.ts'

/**
 * A model for the studio: as the master it gives the user's message to the browser agent and repeats its summary; as the browser agent it
 * takes the next turn of the script.
 */
export function studioModel(nextTurn: () => Turn | undefined): ScriptedModel {
  return scriptedModel([
    async (last, all, options) => {
      const isMaster = options.tools?.some(({ name }) => name === 'sub-agent')
      if (isMaster) {
        const plan = last.includes('with a plan') && { plan: { steps: ['Open the shop', 'Place the order'], classes: ['submit', 'pay'] } }
        if (options.prompt.at(-1)?.role !== 'tool') return call('sub-agent', { task: last, ...plan })
        const { data } = JSON.parse(last) as { data: { summary: string } }
        return `Report: ${data.summary}`
      }
      const turn = nextTurn() ?? close('Nothing more to do.')
      return typeof turn === 'function' ? turn(last, all, options) : turn
    },
  ])
}
