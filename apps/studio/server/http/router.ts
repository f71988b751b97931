import { initTRPC } from '@trpc/server'
import { parseHostRules } from 'pagehand/browser'
import { parseApprovalPolicy } from 'pagehand/tools'
import type { StudioSettings } from 'pagehand/wire'
import * as z from 'zod'
import type { Studio } from '../studio.ts'

const t = initTRPC.context<{ readonly studio: Studio }>().create({ isDev: false })
const { procedure, router } = t

const id = z.string().min(1).max(200)
const limit = z.number().positive().optional()
/** A rule that is not understood is refused when it is set: it would end every later run (TRUST C2). */
function addProblem(parsed: ReturnType<typeof parseHostRules | typeof parseApprovalPolicy>, context: z.RefinementCtx): void {
  if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.error.message })
}

const settings = z.strictObject({
  model: z.string().min(1).max(200),
  limits: z.strictObject({ steps: limit, tokens: limit, characters: limit, costUsd: limit, timeMs: limit }),
  policy: z.record(z.string(), z.enum(['allow', 'ask', 'deny'])).superRefine((classes, context) => {
    if (Object.keys(classes).length > 0) addProblem(parseApprovalPolicy({ classes }), context)
  }),
  allowedHosts: z.array(z.string()).superRefine((allow, context) => {
    if (allow.length > 0) addProblem(parseHostRules({ allow }), context)
  }),
  language: z.enum(['auto', 'en', 'zh-CN']),
  theme: z.enum(['system', 'light', 'dark']),
})

/** The API of the studio, except for streams. */
export const studioRouter = router({
  info: procedure.query(({ ctx }) => ctx.studio.info()),
  waiting: procedure.query(({ ctx }) => ctx.studio.waiting()),
  chat: router({
    list: procedure.query(({ ctx }) => ctx.studio.chats()),
    create: procedure.mutation(({ ctx }) => ctx.studio.createChat()),
    get: procedure.input(z.strictObject({ id })).query(({ ctx, input }) => ctx.studio.chat(input.id)),
    rename: procedure
      .input(z.strictObject({ id, title: z.string().trim().min(1).max(200) }))
      .mutation(({ ctx, input }) => ctx.studio.store.renameChat(input.id, input.title)),
    remove: procedure.input(z.strictObject({ id })).mutation(({ ctx, input }) => ctx.studio.removeChat(input.id)),
  }),
  run: router({
    list: procedure
      .input(z.strictObject({ search: z.string().max(200).optional(), limit: z.int().min(1).max(500).optional() }).default({}))
      .query(({ ctx, input }) => ctx.studio.runs(input)),
    get: procedure.input(z.strictObject({ id })).query(({ ctx, input }) => ctx.studio.run(input.id)),
    stop: procedure
      .input(z.strictObject({ runId: id.optional(), chatId: id.optional() }))
      .mutation(({ ctx, input }) => ctx.studio.stop(input, 'user')),
    handBack: procedure.input(z.strictObject({ runId: id })).mutation(({ ctx, input }) => ctx.studio.handBack(input.runId)),
  }),
  approval: router({
    decide: procedure
      .input(
        z.strictObject({
          id,
          approved: z.boolean(),
          scope: z.enum(['once', 'run', 'site', 'always']),
          reason: z.string().max(1_000).exactOptional(),
        }),
      )
      .mutation(({ ctx, input }) => ctx.studio.decide(input)),
  }),
  tab: router({
    reportBrowserCommandResult: procedure
      .input(z.strictObject({ sessionId: id, clientId: id, tabId: id, commandId: id, result: z.looseObject({ ok: z.boolean() }) }))
      .mutation(({ ctx, input }) => ctx.studio.report(input as never)),
    upsertSnapshot: procedure
      .input(z.strictObject({ sessionId: id, tabId: id, text: z.string().max(100_000) }))
      .mutation(({ ctx, input }) => ctx.studio.upsertSnapshot(input)),
    getSnapshot: procedure.input(z.strictObject({ sessionId: id, tabId: id })).query(({ ctx, input }) => ctx.studio.snapshot(input)),
  }),
  grants: router({
    list: procedure.query(({ ctx }) => ctx.studio.grants()),
    revoke: procedure.input(z.strictObject({ id })).mutation(({ ctx, input }) => ctx.studio.revokeGrant(input.id)),
  }),
  settings: router({
    get: procedure.query(({ ctx }) => ctx.studio.settings()),
    set: procedure.input(settings.partial()).mutation(({ ctx, input }) => ctx.studio.setSettings(input as Partial<StudioSettings>)),
  }),
})

export type StudioRouter = typeof studioRouter
