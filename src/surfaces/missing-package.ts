/** The versions of the packages that are not installed with pagehand; those of `peerDependencies` in package.json. */
const versions: { readonly [name: string]: string } = {
  '@ai-sdk/openai': '4',
  '@electric-sql/pglite': '0.5.14',
  '@opentelemetry/api': '1.9',
  ai: '7',
  pg: '8',
}

/** The name of the package that an import did not find; undefined for any other error. */
export function missingPackage(error: unknown): string | undefined {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return code === 'ERR_MODULE_NOT_FOUND' ? /Cannot find package '([^']+)'/.exec(String(message))?.[1] : undefined
}

/** `npm install ai@7`: the versions that this version of pagehand works with. */
export const installCommand = (...names: readonly string[]): string =>
  ['npm install', ...names.map(name => (Object.hasOwn(versions, name) ? `${name}@${versions[name]}` : name))].join(' ')

/** The command for a package that the agent needs. A key of OpenAI needs the package of its provider too; the built-in rules do not. */
export function agentInstallCommand(
  missing: string,
  words: readonly string[],
  env: { readonly [name: string]: string | undefined },
): string {
  const isRules = words.some((word, index) => word === '--model=rules' || (word === '--model' && words[index + 1] === 'rules'))
  const hasKey = Boolean(env.OPENAI_API_KEY || env.OPENAI_BASE_URL)
  return missing === 'ai' && hasKey && !isRules ? installCommand('ai', '@ai-sdk/openai') : installCommand(missing)
}
