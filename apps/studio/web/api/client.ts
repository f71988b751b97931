import { QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { noteNoDatabase, noteReached, noteUnauthorized, noteUnreachable } from './connection.ts'
import type { StudioRouter } from './router-type.ts'

/** Notes whether the server answers, and whether it accepts this window. */
const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    if (response.status === 401) noteUnauthorized()
    else if (response.status === 503) noteNoDatabase()
    else noteReached()
    return response
  } catch (error) {
    if (init?.signal?.aborted !== true) noteUnreachable()
    throw error
  }
}

/** an answer of the server says what is wrong; asking again would not change it */
const isAnswer = (error: unknown): boolean => error instanceof TRPCClientError && error.data !== null && error.data !== undefined

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // the server is on this machine: "offline" of the browser does not mean that it cannot be reached
      networkMode: 'always',
      retry: (count, error) => !isAnswer(error) && count < 2,
    },
    mutations: { networkMode: 'always' },
  },
})

export const client = createTRPCClient<StudioRouter>({
  links: [httpLink({ url: '/api/trpc', fetch: watchedFetch as never })],
})

/** Options of queries and mutations, by procedure. */
export const api = createTRPCOptionsProxy<StudioRouter>({ client, queryClient: queries })
