// Filters the ledger by source, verdict and words.  Without this script the page shows all.
(function () {
  "use strict";
  var form = document.getElementById("filter");
  var rows = Array.prototype.slice.call(document.querySelectorAll("#ledger-table tbody tr"));
  var count = document.getElementById("ledger-count");
  var field = function (name) { return form.elements[name].value; };

  function apply() {
    var source = field("source"), verdict = field("verdict");
    var words = field("words").toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    rows.forEach(function (row) {
      var text = row.textContent.toLowerCase();
      var hit = (!source || row.dataset.source === source) &&
        (!verdict || row.dataset.verdict === verdict || row.dataset.origin === verdict) &&
        words.every(function (word) { return text.indexOf(word) >= 0; });
      row.hidden = !hit;
      shown += hit ? 1 : 0;
    });
    count.textContent = shown + " of " + rows.length + " published numbers are shown.";
  }

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("reset", function () { setTimeout(apply, 0); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  // Links such as #verdict=differs choose a filter.
  function follow() {
    var wanted = /^#verdict=(.+)$/.exec(decodeURIComponent(location.hash));
    if (wanted) {
      form.reset();
      form.elements.verdict.value = wanted[1];
      document.getElementById("ledger").scrollIntoView();
    }
    apply();
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
