console.log("YES");
