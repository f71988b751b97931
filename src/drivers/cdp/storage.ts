import type { Ground } from './ground.ts'

export interface StorageState {
  readonly cookies: readonly unknown[]
}
export async function saveState(_ground: Ground, _origins: readonly string[]): Promise<StorageState> {
  return { cookies: [] }
}
export async function loadState(_ground: Ground, _state: StorageState): Promise<void> {}
