/** Markup whose rendering depends on the default style sheet of the browser. */
export const unstyled: Readonly<Record<string, string>> = {
  'noframes and noembed are not drawn': '<noframes>no frames</noframes><noembed>no embed</noembed><a href=/1>one</a>',
  'a closed popover': '<div popover>closed <button>in it</button></div><button>beside</button>',
  'a dialog that is closed, and one that is open':
    '<dialog>closed <button>a</button></dialog><dialog open>open <button>b</button></dialog>',
  'the fallback of video, audio and canvas':
    '<video controls>video <a href=/1>a</a></video><audio controls>audio <a href=/2>b</a></audio><canvas>canvas <a href=/3>c</a></canvas><a href=/4>d</a>',
  'the fallback of progress and meter': '<progress value=1 max=2>half</progress><meter value=1>full</meter><a href=/1>x</a>',
  'the fallback of an object': '<object>object <a href=/1>a</a></object><object data=/x type=x/y>other <a href=/2>b</a></object>',
  'the content of an iframe': '<iframe>words <a href=/1>a</a></iframe><a href=/2>b</a>',
  'hidden until found': '<div hidden=until-found>folded <a href=/1>a</a></div><a href=/2>b</a>',
  'a visible part of what is invisible':
    '<div style="visibility:hidden">no <a href=/1>a</a> <span style="visibility:visible">yes <a href=/2>b</a></span></div>',
  'display that is taken back later in a style': '<div style="display:none;display:block">shown <a href=/1>a</a></div>',
  'display none in capitals and with a comment':
    '<div style="DISPLAY: NONE !important">no <a href=/1>a</a></div><div style="/* x */display:none">no <a href=/2>b</a></div>',
  'a style with content-visibility': '<div style="content-visibility:hidden">no <a href=/1>a</a></div><a href=/2>b</a>',
  'rules in a style block':
    '<style>.x{display:none} #y{visibility:hidden} p.z{display:none}</style><p class=x>x <a href=/1>a</a><p id=y>y <a href=/2>b</a><p class=z>z<p>w <a href=/3>c</a>',
  'a rule for a screen':
    '<style media=print>.x{display:none}</style><style media=screen>.y{display:none}</style><p class=x>x <a href=/1>a</a><p class=y>y <a href=/2>b</a>',
  'a rule that is overruled by a stronger one': '<style>#a{display:block} .x{display:none}</style><p class=x id=a>shown <a href=/1>a</a>',
  'a rule that a style attribute overrules': '<style>.x{display:none}</style><p class=x style="display:block">shown <a href=/1>a</a>',
  'a rule with a descendant':
    '<style>.m .x{display:none}</style><div class=m><p class=x>no <a href=/1>a</a></div><p class=x>yes <a href=/2>b</a>',
  'an important rule for what hidden hides': '<style>.x{display:block!important}</style><p hidden class=x>hidden <a href=/1>a</a>',
  'ruby with its parentheses': '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <a href=/1>a</a>',
  'math with its annotation': '<math><semantics><mi>x</mi><annotation encoding=tex>\\x</annotation></semantics></math><a href=/1>a</a>',
  'svg with parts that are only used':
    '<svg width=99 height=99><defs><text>def</text></defs><symbol><text>sym</text></symbol><metadata>meta</metadata><text y=20>drawn</text></svg><a href=/1>a</a>',
  'svg with a clip path and a pattern':
    '<svg width=99 height=99><clipPath><text>clip</text></clipPath><pattern><text>pat</text></pattern><a href=/1><text y=20>link</text></a></svg>',
  'a name from a title in svg': '<button><svg width=9 height=9><title>Close</title></svg></button>',
  'optgroups, options and a datalist':
    '<select aria-label=s><optgroup label=g disabled><option>a<option>b</optgroup><option>c</select><input list=d aria-label=l><datalist id=d><option>x</datalist>',
  'a list of several':
    '<select aria-label=s multiple><option selected>a<option>b<option selected>c</select><select aria-label=t size=3><option>a<option>b</select>',
  'two selected where one can be': '<select aria-label=s><option selected>a<option selected>b</select>',
  'options with a label': '<select aria-label=s><option label=shown>text</select><select aria-label=t><option label=empty></select>',
  'values that a field cleans':
    '<input type=number value=abc aria-label=a><input type=range value=348 min=280 max=420 step=10 aria-label=b><input type=range aria-label=c><input type=color aria-label=d><input type=date value=x aria-label=e><input type=file value=x aria-label=f><input type=email value=" a@b " aria-label=g>',
  'a range out of its bounds':
    '<input type=range value=500 aria-label=a><input type=range min=10 max=5 aria-label=b><input type=range value=x max=50 aria-label=c>',
  'an unknown type of input':
    '<input type=foo value=1 aria-label=a><input type=" text" value=2 aria-label=b><input TYPE=CheckBox checked aria-label=c>',
  'radios of one group':
    '<input type=radio name=g checked aria-label=a><input type=radio name=g checked aria-label=b><form><input type=radio name=g checked aria-label=c></form>',
  'a disabled fieldset and its legends':
    '<fieldset disabled><legend><input aria-label=a></legend><legend><input aria-label=b></legend><input aria-label=c></fieldset>',
  'labels by id, around and both':
    '<label for=a>One</label><input id=a><label>Two <input id=b></label><label for=b>Three</label><label for=none>Four <input id=c></label>',
  'a label for a hidden input and for an image':
    '<label for=h>No</label><input type=hidden id=h><label>Pick <input type=image alt=x></label><label>Out <output>1</output></label>',
  'an id in a template': '<template><p id=t>not this</p></template><p id=t>this</p><button aria-labelledby=t></button>',
  'an id given twice': '<p id=t>first</p><p id=t>second</p><button aria-labelledby=t></button>',
  'editable text':
    '<div contenteditable>words <b>bold</b> <p>more</p></div><div contenteditable=false>not</div><div contenteditable=TRUE>yes</div>',
  'a textarea with a first line break': '<textarea aria-label=a>\n one\n two</textarea><textarea aria-label=b></textarea>',
  'a password and its value':
    '<input type=password value=secret aria-label=a><input type=text autocomplete=cc-number value=4111 aria-label=b>',
  'words in inline and in block elements':
    '<a href=/1><span>one</span><span>two</span></a><a href=/2><div>one</div><div>two</div></a><a href=/3>one<br>two</a><a href=/4><img alt=pic>two</a>',
  'words in cells, items and options':
    '<button><table><tr><td>a<td>b</table></button><a href=/1><ul><li>a<li>b</ul></a><a href=/2><dl><dt>a<dd>b</dl></a>',
  'words in elements that are inline blocks':
    '<a href=/1>a<button>b</button>c</a><a href=/2>x<input value=y>z</a><a href=/3>m<meter value=1></meter>n</a>',
  'words in marks of many kinds':
    '<a href=/1>a<ruby>b<rt>c</rt></ruby>d</a><a href=/2>a<wbr>b<sub>c</sub></a><a href=/3>a<video></video>b<svg><text>c</text></svg>d</a>',
  'preformatted text and spaces': '<pre>one\n  two</pre><a href=/1>a&nbsp;b&shy;c\u200bd  e\n f</a>',
  'a q and its marks': '<a href=/1>he said <q>yes</q></a><h2>so <q>no</q></h2>',
  'list markers': '<ol><li><a href=/1>a</a><li>b</ol>',
  'image maps': '<img usemap=#m alt=map width=50 height=50><map name=m><area href=/1 alt=one coords=0,0,20,20><area alt=none></map>',
  'an image map that nobody uses': '<map name=m><area href=/1 alt=one coords=0,0,20,20></map><a href=/2>two</a>',
  'a slot outside of a shadow': '<slot><a href=/1>in it</a></slot>',
  'nested details': '<details open><summary>a</summary>x<details><summary>b</summary><a href=/1>y</a></details></details>',
  'a summary that is not first': '<details><p>x</p><summary>late</summary><a href=/1>y</a></details>',
  'a summary outside of details': '<summary>stray</summary><a href=/1>y</a>',
  'a details that is closed within a link': '<a href=/1>one<details><summary>two</summary>three</details></a>',
  'inert parts': '<div inert>words <button>no</button></div><button>yes</button>',
  'aria-hidden and hidden parts of a name':
    '<button>a<span aria-hidden=true>b</span><span hidden>c</span>d</button><a href=/1><i aria-hidden=TRUE>x</i>y</a>',
  'a marquee, a center and a font': '<marquee>runs <a href=/1>a</a></marquee><center>mid <a href=/2>b</a></center><font>c</font>',
  'legacy blocks': '<a href=/1><xmp>a</xmp><listing>b</listing>c</a><a href=/2><center>a</center>b</a><a href=/3><dir><li>a</dir>b</a>',
  'colon in a tag': '<o:p>office</o:p><x:button>not a button</x:button><a href=/1>a</a>',
  'tabindex of odd values': '<p tabindex=0>a</p><p tabindex=-1>b</p><p tabindex=x>c</p><p tabindex="">d</p>',
}
