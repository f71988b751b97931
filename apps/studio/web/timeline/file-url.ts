/** The URL of a file of a run; a part may name the file or its whole path. */
export const fileUrl = (runId: string, file: string): string =>
  file.startsWith('/') ? file : `/api/runs/${encodeURIComponent(runId)}/files/${file.split('/').map(encodeURIComponent).join('/')}`
