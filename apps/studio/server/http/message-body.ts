import * as z from 'zod'

/** enough for a message with pictures of picked elements */
export const maxMessageBytes = 4_000_000

const key = z.string().min(1).max(200)

/** A message that a window sends. */
export const messageBody = z.object({
  id: key,
  message: z.object({
    id: key,
    role: z.literal('user'),
    parts: z.array(z.looseObject({ type: z.string() })).max(100),
  }),
  browser: z.strictObject({ clientId: key, tabId: key, viewKey: key, cdpTargetId: z.string().max(200) }).optional(),
})
