/** What is being measured now, for people who wait; '' wipes it out. */
export function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}
