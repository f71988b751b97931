import { test } from 'vitest'
import { AgentBrowser } from '../../src/index.ts'
import { engines } from '../support/engines.ts'
import { openSite } from '../support/site.ts'
for (const [name, open] of Object.entries(engines)) test(name, async () => {
  const e = await open!(); const site = await openSite()
  const go = async (html: string) => { await e.goto(site.add({'': '<!doctype html><meta charset=utf-8>' + html}).url); await e.evaluate(AgentBrowser.getScript()); await e.evaluate(AgentBrowser.snapshotJs()) }
  const act = async (...a: unknown[]) => console.log(name, JSON.stringify(a), await e.evaluate(AgentBrowser.actionJs(...a as [never, never, never])))
  const pg = async (...a: unknown[]) => console.log(name, JSON.stringify(a), await e.evaluate(AgentBrowser.pageJs(...a as [never, never])))
  await go('<button>Save</button>'); await act('e1', 'fill', {value: 'x'})
  await go('<div style="height:5000px"></div>'); await pg('scroll', {direction: 'down', amount: 400}); await pg('scroll', {direction: 'up'});
  if (name === 'WebKit') {
    await go('<button id=it>Save</button>'); await act('e1', 'longpress', {ms: 50})
    await go('<form onsubmit="event.preventDefault(); window.sent = (window.sent || 0) + 1"><input aria-label=Name><button>Send</button></form>'); await e.evaluate('window.log=[];for (const t of ["keydown","keypress","keyup","click","submit"]) addEventListener(t, e => log.push(t+" "+e.defaultPrevented+" "+e.key), true),""'); await act('e2', 'press', {key: 'Enter'}); console.log(await e.evaluate('String(window.sent)+log')); 
    await go('<button id=it onclick="window.pressed=1">Save</button>'); await act('e1', 'press', {key: 'Enter'}); console.log(await e.evaluate('String(window.pressed)'))
  }
  await e.close()
}, 60000)
