// biome-ignore lint/suspicious/noTsIgnore: a reader of our d.ts need not have devtools-protocol, and these types are any then
/** @ts-ignore */
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js'

type Commands = ProtocolMapping.Commands
type Events = ProtocolMapping.Events

export type Method = keyof Commands & string
export type Params<M extends Method> = Commands[M]['paramsType'][0]
export type ReturnValue<M extends Method> = Commands[M]['returnType']

export type EventName = keyof Events & string
export type EventPayload<E extends EventName> = Events[E][0]
